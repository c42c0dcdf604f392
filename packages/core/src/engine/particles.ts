/**
 * What a user passes to a run, checked and turned into the shape and bindings that a device gets.
 *
 * Everything that can be wrong with data is found here, before anything runs: lengths, missing or unknown attributes,
 * numbers that are not finite, indices out of range.
 *
 * @module
 */
import type { Bindings, Exclusions, PointSet } from '../backend.ts'
import { describe, type FloatArray, finite, finiteArray } from '../checks.ts'
import { symbolsOf } from '../expression/nodes.ts'
import { attributesOf } from '../interactions/parse-interaction.ts'
import { parseOutputs } from '../workloads/outputs.ts'
import { termOf } from '../workloads/quantity.ts'
import type { Dimension, Grid, MapWorkload, PairWorkload, Shape, Workload } from '../workloads/workload.ts'

/** Points: `position` interleaved, `[count, dimension]`, and attributes, `[count]` each. */
export interface ParticleSet {
  readonly position: FloatArray
  /** 3 by default. */
  readonly dimension?: Dimension
  readonly [attribute: string]: FloatArray | Dimension | undefined
}

/** One set that acts on itself, two sets, or the scalar field of a grid. */
export type Particles =
  | ParticleSet
  | { readonly targets: ParticleSet; readonly sources: ParticleSet }
  | { readonly field: FloatArray }

/** A run's data as a device gets it. */
export interface Bound {
  readonly shape: Shape
  readonly bindings: Bindings
}

/**
 * Checks the data of a run.
 *
 * @param overrides values for parameters of the law, in place of those in the workload
 * @throws TypeError, RangeError
 */
export function bind(
  workload: Workload,
  particles: Particles,
  overrides: Readonly<Record<string, number>> = {},
): Bound {
  if (typeof particles !== 'object' || particles === null)
    throw new TypeError(
      `"particles" expected { position, ... }, { targets, sources } or { field }, got ${describe(particles)}`,
    )
  if (workload.loop === 'grid') return bindGrid(workload.grid, particles, parametersOf(workload, overrides))
  if (workload.loop === 'particle') return bindPoints(workload, particles, overrides)
  return bindPairs(workload, particles, overrides)
}

function bindPairs(workload: PairWorkload, particles: Particles, overrides: Readonly<Record<string, number>>): Bound {
  const sameSet = !('targets' in particles || 'sources' in particles)
  const { targets, sources } = sameSet
    ? { targets: particles, sources: particles }
    : (particles as { targets: unknown; sources: unknown })
  const [here, there] = [
    pointSet(targets, sameSet ? '' : 'targets.'),
    sameSet ? undefined : pointSet(sources, 'sources.'),
  ]
  const dimension = here.dimension
  if (there && there.dimension !== dimension)
    throw new RangeError(`"sources.dimension" expected ${dimension}, that of the targets, got ${there.dimension}`)
  const { domain, k = 0 } = workload
  if (domain.boundary.kind === 'periodic' && domain.boundary.lengths.length !== dimension)
    throw new RangeError(
      `"boundary" expected ${dimension} lengths, as points are in ${dimension}-D, got ${domain.boundary.lengths.length}`,
    )

  const term = termOf(workload, dimension)
  const needed = attributesOf(term.form === 'radial' ? [term.coefficient] : term.components)
  requireAttributes(here, needed.targets, workload.law.name)
  requireAttributes(there ?? here, needed.sources, workload.law.name)
  if (workload.quantity === 'acceleration' && workload.law.inertia && needed.targets.includes(workload.law.inertia))
    requireInertia(workload.law.inertia, here)

  const exerting = there ?? here
  const meets = exerting.count - (sameSet && domain.self === 'exclude' ? 1 : 0)
  if (workload.reduction === 'smallest' && k > meets && here.count > 0)
    throw new RangeError(`"k" expected at most ${Math.max(meets, 0)}, as many sources as a target has, got ${k}`)

  const shape: Shape = { dimension, targets: here.count, sources: exerting.count, sameSet, vectors: ['position'] }
  const exclusions = exclusionsOf(workload, shape)
  const set: PointSet = here
  return {
    shape,
    bindings: {
      targets: set,
      sources: there ?? set,
      parameters: parametersOf(workload, overrides),
      ...(exclusions ? { exclusions } : {}),
    },
  }
}

function bindPoints(
  workload: Workload & { loop: 'particle' },
  particles: Particles,
  overrides: Readonly<Record<string, number>>,
): Bound {
  const set = workload.operation === 'map' ? mapSet(workload, particles) : pointSet(particles, '')
  if (workload.operation === 'cellIndex' && workload.grid.cells.length !== set.dimension)
    throw new RangeError(
      `"cells" expected ${set.dimension} numbers, as points are in ${set.dimension}-D, got ${workload.grid.cells.length}`,
    )
  const shape: Shape = { dimension: set.dimension, targets: set.count, sources: 0, sameSet: true, vectors: set.vectors }
  return { shape, bindings: { targets: set, sources: set, parameters: parametersOf(workload, overrides) } }
}

function bindGrid(grid: Grid, particles: Particles, parameters: Readonly<Record<string, number>>): Bound {
  const cells = grid.cells.reduce((product, n) => product * n, 1)
  const field = finiteArray(
    (particles as { field?: unknown }).field,
    'field',
    cells,
    `, ${grid.cells.join(' x ')} cells`,
  )
  const set: PointSet = { count: cells, arrays: { field } }
  const dimension = grid.cells.length as Dimension
  return {
    shape: { dimension, targets: cells, sources: 0, sameSet: true, vectors: [] },
    bindings: { targets: set, sources: set, parameters },
  }
}

/** Every number that the expressions of a workload read by name. */
export function parametersOf(
  workload: Workload,
  overrides: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  if (workload.loop === 'particle' && workload.operation === 'cellIndex') return {}
  const own = workload.loop === 'pair' ? workload.law.parameters : workload.parameters
  for (const [name, value] of Object.entries(overrides)) {
    if (!(name in own))
      throw new TypeError(
        `"${name}" is no parameter of this workload; expected ${Object.keys(own).join(', ') || 'none'}`,
      )
    finite(value, name)
  }
  const domain: Record<string, number> = {}
  if (workload.loop === 'pair') {
    const { boundary, cutoff } = workload.domain
    if (cutoff) domain.cutoff = cutoff.distance
    if (cutoff?.switchDistance !== undefined) domain.switchDistance = cutoff.switchDistance
    const lengths = boundary.kind === 'periodic' ? boundary.lengths : []
    for (const [axis, length] of lengths.entries()) domain[`box${'XYZ'[axis]}`] = length
  }
  return { ...own, ...overrides, ...domain }
}

interface CheckedSet extends PointSet {
  readonly dimension: Dimension
  readonly prefix: string
  readonly vectors: readonly string[]
  readonly arrays: Readonly<Record<string, FloatArray>>
}

function pointSet(given: unknown, prefix: string): CheckedSet {
  if (typeof given !== 'object' || given === null || !('position' in given))
    throw new TypeError(`"${prefix}position" expected Float32Array or Float64Array, got nothing`)
  const { dimension = 3, position, ...attributes } = given as { dimension?: unknown; position: unknown }
  if (dimension !== 2 && dimension !== 3)
    throw new RangeError(`"${prefix}dimension" expected 2 or 3, got ${describe(dimension)}`)
  const coordinates = finiteArray(position, `${prefix}position`)
  const count = coordinates.length / dimension
  if (!Number.isInteger(count)) {
    const hint = dimension === 3 && coordinates.length % 2 === 0 ? '; for points in 2-D give dimension: 2' : ''
    throw new RangeError(
      `"${prefix}position" expected ${dimension} numbers per point, got length ${coordinates.length}${hint}`,
    )
  }
  const arrays: Record<string, FloatArray> = { position: coordinates }
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const wide =
      value instanceof Float32Array || value instanceof Float64Array
        ? value.length === count * dimension && count > 0
        : false
    arrays[name] = finiteArray(value, `${prefix}${name}`, wide ? count * dimension : count, `, one number per point`)
  }
  return { count, dimension, prefix, arrays, vectors: ['position'] }
}

function requireAttributes(set: CheckedSet, needed: readonly string[], law: string): void {
  for (const name of needed) {
    const array = set.arrays[name]
    if (array === undefined) {
      const given = Object.keys(set.arrays).join(', ')
      throw new TypeError(
        `"${set.prefix}${name}" expected Float32Array or Float64Array, as ${law} reads it, got nothing; given: ${given}`,
      )
    }
    finiteArray(array, `${set.prefix}${name}`, set.count, ', one number per point')
  }
}

function requireInertia(inertia: string, set: CheckedSet): void {
  const at = set.arrays[inertia]?.indexOf(0) ?? -1
  if (at >= 0)
    throw new RangeError(
      `"${inertia}" expected numbers other than 0, as acceleration is force divided by it, got 0 at index ${at}; use forces(law)`,
    )
}

/** Attributes of a map are what its expressions read; those as long as `count * dimension` are vectors. */
function mapSet(workload: MapWorkload, particles: Particles): CheckedSet {
  const { dimension = 3, ...given } = particles as { dimension?: Dimension }
  const arrays: Record<string, FloatArray> = {}
  for (const [name, value] of Object.entries(given)) if (value !== undefined) arrays[name] = finiteArray(value, name)
  const lengths = Object.values(arrays).map((array) => array.length)
  // Without positions the shortest array counts the points; if all are vectors, mapping them number by number is the same.
  const count = arrays.position ? arrays.position.length / dimension : Math.min(...lengths, Number.MAX_SAFE_INTEGER)
  const vectors = Object.keys(arrays).filter((name) => arrays[name]?.length === count * dimension && count > 0)
  for (const [name, array] of Object.entries(arrays))
    if (!vectors.includes(name) && array.length !== count)
      throw new RangeError(
        `"${name}" expected length ${count} (one number per point) or ${count * dimension} (one per component), got ${array.length}`,
      )
  const known = new Set([
    ...Object.keys(arrays),
    ...vectors.flatMap((v) => [...'xyz'].slice(0, dimension).map((a) => `${v}_${a}`)),
  ])
  for (const components of parseOutputs(workload).values())
    for (const name of components.flatMap((e) => [...symbolsOf(e)]))
      if (!known.has(name) && !(name in workload.parameters))
        throw new TypeError(
          `"${name}" expected an attribute or a parameter; given attributes: ${[...known].join(', ') || 'none'}; parameters: ${Object.keys(workload.parameters).join(', ') || 'none'}`,
        )
  return { count, dimension, prefix: '', arrays, vectors }
}

/** The pairs left out, per target and ascending; of one set in both directions. */
export function exclusionsOf({ domain }: PairWorkload, shape: Shape): Exclusions | undefined {
  if (domain.exclusions.length === 0) return undefined
  const lists = Array.from({ length: shape.targets }, () => new Set<number>())
  for (const [n, [i, j]] of domain.exclusions.entries()) {
    if (i >= shape.targets || j >= shape.sources)
      throw new RangeError(
        `"exclusions[${n}]" expected a target below ${shape.targets} and a source below ${shape.sources}, got [${i}, ${j}]`,
      )
    lists[i]?.add(j)
    if (shape.sameSet) lists[j]?.add(i)
  }
  const offsets = new Uint32Array(shape.targets + 1)
  const sorted = lists.map((list, i) => {
    offsets[i + 1] = (offsets[i] as number) + list.size
    return [...list].sort((a, b) => a - b)
  })
  return { offsets, sources: Uint32Array.from(sorted.flat()) }
}
