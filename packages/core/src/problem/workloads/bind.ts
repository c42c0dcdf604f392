/**
 * Checks the data that a user passes to a run, and turns it into the shape and bindings of a device.
 *
 * All errors in data are found here, before anything runs: wrong lengths, missing or unknown attributes, numbers that are not
 * finite, indices out of range.
 *
 * @module
 */

import type { Bindings } from '../../ground/arrays/bindings.ts'
import { onlyNamed } from '../../ground/checks.ts'
import { record } from '../../ground/names.ts'
import { requireFew, type Tables } from '../../ground/table.ts'
import { inSquare, unsheared } from './cell.ts'
import { withComponents } from './components.ts'
import { copiesIn, requireBox, requireEnd } from './domain.ts'
import type { exclusionsOf } from './exclusions.ts'
import { lawFact } from './law-facts.ts'
import type { PairNumbers } from './pair-bounds.ts'
import { parametersOf } from './parameters.ts'
import {
  type Attributes,
  type CheckedSet,
  dimensionOf,
  isSet,
  noSet,
  pointSet,
  requireAttributes,
  requireInertia,
  type TermParticles,
} from './particles.ts'
import { kindsIn, requireKinds } from './tables/kinds.ts'
import { joinedTables } from './tables/layout.ts'
import { type GivenParameters, parametersApart, type Vectors, vectorTables } from './vector-parameters.ts'
import type { Lengths, vectorSets } from './vector-sets.ts'
import type { Dimension, PairWorkload, Shape, Workload } from './workload.ts'

/** A workload and its data, as a device gets them. */
export interface Bound {
  readonly workload: Workload
  readonly shape: Shape
  readonly bindings: Bindings
}

/** Parts of binding that most sums do without: for maps and grids, vectors of any length, cutoffs of pairs, and exclusions. */
export interface BindingParts {
  readonly boundElements: (
    workload: Exclude<Workload, PairWorkload>,
    particles: object,
    overrides: GivenParameters | undefined,
    prepared: Shape | undefined,
  ) => Bound
  readonly vectorSets: typeof vectorSets
  readonly withCutoffBound: (workload: PairWorkload, shape: Shape, numbers: PairNumbers) => PairNumbers['parameters']
  readonly exclusionsOf: typeof exclusionsOf
}

/** @throws TypeError if they are not loaded, because a caller did not look whether the workload needs them */
function needed(parts: BindingParts | undefined): BindingParts {
  if (parts) return parts
  throw new TypeError(
    'Cannot bind maps, grids, vectors, cutoffs of pairs or exclusions: only the parts for other workloads are loaded',
  )
}

/**
 * Binds checked points with the tables of a run, by default those of the law (see `run-tables.ts`).
 *
 * @throws TypeError, RangeError for wrong parameters, and for points that do not fit the tables
 */
export type TableBinder = (tables?: Tables) => Bound

/** Checks the data of a run with the law's own numbers and tables, and copies the numbers. @throws TypeError, RangeError */
export const bindChecked = (workload: Workload, particles: Attributes | TermParticles): Bound =>
  checkedData(workload, particles)()

/**
 * Checks the points of a run and copies their numbers, so that later changes to the caller's arrays have no effect. The code for
 * tables may load before they are bound.
 *
 * @param workload a workload that a constructor has made
 * @param overrides values that replace parameters of the law
 * @param prepared the shape of a prepared program, if there is one
 * @param parts undefined if the workload does without them (`bind-parts.ts`)
 * @throws TypeError, RangeError
 */
export function checkedData(
  workload: Workload,
  particles: Attributes | TermParticles,
  overrides?: GivenParameters,
  prepared?: Shape,
  parts?: BindingParts,
): TableBinder {
  const forms = '{ position, ... }, { targets, sources } or { field }'
  if (!isSet(particles)) throw noSet('particles', forms, particles)
  if (workload.loop === 'pair') return pairData(workload, particles, overrides, prepared, parts)
  const bound = needed(parts).boundElements(workload, particles, overrides, prepared)
  return () => bound
}

function pairData(
  workload: PairWorkload,
  particles: object,
  overrides: GivenParameters | undefined,
  prepared: Shape | undefined,
  parts: BindingParts | undefined,
): TableBinder {
  // A method says whether it may go on without an end.
  if (!workload.method) requireEnd(workload.domain)
  const sameSet = !('targets' in particles || 'sources' in particles)
  if (!sameSet) onlyNamed(particles, 'set of points', ['targets', 'sources'])
  const two = particles as { readonly targets?: unknown; readonly sources?: unknown }
  const { dimension } = Object(sameSet ? particles : two.targets) as { readonly dimension?: unknown }
  const space = { dimension: dimensionOf(dimension, sameSet ? '' : 'targets.'), vectors: [] }
  const vectors = lawFact('vectors', workload, space)
  const { numbers, vectors: parameters } = parametersApart(workload.law, overrides)
  if (vectors) {
    const { targets: here, sources: there } = lawFact('reads', workload, space)
    const given = sameSet
      ? [{ given: particles, prefix: '', reads: [...new Set([...here, ...there])] }]
      : [
          { given: two.targets, prefix: 'targets.', reads: here },
          { given: two.sources, prefix: 'sources.', reads: there },
        ]
    const all = { ...workload.law.vectors, ...parameters }
    const { sets, lengths } = needed(parts).vectorSets(given, vectors, workload.law.name, all, prepared?.lengths)
    const [first, second = first] = sets as [CheckedSet, CheckedSet?]
    return pairPoints(workload, parts, first, second, numbers, { lengths, parameters })
  }
  const targets = sameSet ? pointSet(particles, '') : pointSet(two.targets, 'targets.')
  const sources = sameSet ? targets : pointSet(two.sources, 'sources.')
  return pairPoints(workload, parts, targets, sources, numbers)
}

/**
 * @param givenSources the same object if targets and sources are one set
 * @param vectors the lengths of vectors, which were checked with the attributes, and parameters that are vectors
 * @throws TypeError, RangeError if the points lack an attribute that the workload reads
 */
export function pairPoints(
  workload: PairWorkload,
  parts: BindingParts | undefined,
  givenTargets: CheckedSet,
  givenSources: CheckedSet = givenTargets,
  overrides?: Readonly<Record<string, number>>,
  vectors?: { readonly lengths: Lengths; readonly parameters: Vectors },
): TableBinder {
  const sameSet = givenTargets === givenSources
  const { dimension } = givenTargets
  if (givenSources.dimension !== dimension)
    throw new RangeError(
      `"sources.dimension" expected ${dimension}, that of the targets, got ${givenSources.dimension}`,
    )
  const { domain, law, k = 0 } = workload
  requireBox(domain.boundary, dimension)
  let [targets, sources] = [givenTargets, givenSources]
  if (!vectors) {
    const needed = lawFact('reads', workload, { dimension, vectors: [] })
    targets = withComponents(targets, sameSet ? [...needed.targets, ...needed.sources] : needed.targets)
    sources = sameSet ? targets : withComponents(sources, needed.sources)
    requireAttributes(targets, needed.targets, law.name)
    requireAttributes(sources, needed.sources, law.name)
  }
  const square = unsheared(domain.boundary)
  if (square) {
    const sheared = (set: CheckedSet): CheckedSet => {
      const { position } = set.arrays
      return position ? { ...set, arrays: { ...set.arrays, position: inSquare(square, position) } } : set
    }
    targets = sheared(targets)
    sources = sameSet ? targets : sheared(sources)
  }
  requireDivisor(workload, dimension, targets)

  const images = copiesIn(domain)?.reduce((product, along) => product * along, 1) ?? 1
  const meets = images * sources.count - (sameSet && domain.self === 'exclude' ? 1 : 0)
  if (k > 0 && k > meets && targets.count > 0)
    throw new RangeError(`"k" expected at most ${Math.max(meets, 0)}, the number of sources of a target, got ${k}`)

  const points = { dimension, targets: targets.count, sources: sources.count, sameSet, vectors: targets.vectors }
  const shape: Shape = vectors ? { ...points, lengths: vectors.lengths } : points
  const exclusions = domain.exclusions.length > 0 ? needed(parts).exclusionsOf(workload, shape) : undefined
  const ownCutoffs = lawFact('cutoff', workload, shape) !== undefined
  return (ofRun = law.tables) => {
    const tables = vectors ? withVectors(ofRun, vectors.parameters) : ofRun
    const given = parametersOf(workload, overrides, tables)
    const numbers = { targets: targets.arrays, sources: sources.arrays, tables, parameters: given }
    const parameters = ownCutoffs ? needed(parts).withCutoffBound(workload, shape, numbers) : given
    const bindings = { targets, sources, parameters, ...(exclusions && { exclusions }) }
    if (!tables) return { workload, shape, bindings }
    const kinds = kindsIn(lawFact('lookups', workload, { dimension, vectors: [] }) ?? [], tables)
    requireKinds(kinds, 'i', targets, targets.prefix)
    requireKinds(kinds, 'j', sources, sources.prefix)
    return { workload, shape, bindings: { ...bindings, tables: joinedTables(tables) } }
  }
}

/** The tables of a run with other vectors among its parameters. @throws RangeError */
function withVectors(tables: Tables | undefined, vectors: Vectors): Tables | undefined {
  if (Object.keys(vectors).length === 0) return tables
  const all = Object.freeze(record(Object.entries({ ...tables, ...vectorTables(vectors) })))
  requireFew(all)
  return all
}

/** Checks the inertia that divides accelerations. @throws RangeError */
export function requireDivisor(workload: PairWorkload, dimension: Dimension, set: Pick<CheckedSet, 'arrays'>): void {
  const divisor = divisorOf(workload, dimension)
  if (divisor !== undefined) requireInertia(divisor, set)
}

/** The inertia that divides accelerations, unless it cancels, as in gravity. */
export function divisorOf(workload: PairWorkload, dimension: Dimension): string | undefined {
  const { inertia } = workload.law
  if (workload.quantity !== 'acceleration' || !inertia) return undefined
  const { targets } = lawFact('reads', workload, { dimension, vectors: [] })
  return targets.includes(inertia) ? inertia : undefined
}
