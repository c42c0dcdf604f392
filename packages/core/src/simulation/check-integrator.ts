/**
 * Checks an integrator from a user or from storage against the arrays of a simulation.
 *
 * @module
 */
import { finite, listOf, oneOf, onlyNamed, positive, text, whole } from '../ground/checks.ts'
import { nameOf, numbersByName } from '../ground/names.ts'
import { mapComponents } from '../problem/workloads/bodies/map-components.ts'
import { map } from '../problem/workloads/particle.ts'
import type { Dimension } from '../problem/workloads/workload.ts'
import { lengthsOf, moving, type PointArrays, vectorsOf } from './arrays.ts'
import type { Integrator } from './integrators.ts'
import type { IntegratorStage } from './kicks.ts'
import { randomNames } from './noise/random.ts'
import { requireNamed } from './require-named.ts'

/**
 * Checks the integrator: every stage is a force or a map. The inputs of a map exist, and its outputs have arrays of the right width.
 *
 * @throws TypeError, RangeError
 */
export function checkedIntegrator(integrator: Integrator, arrays: PointArrays, dimension: Dimension): Integrator {
  const parts = ['name', 'order', 'stages', 'parameters', 'minimum', 'motion', 'scratch', 'random']
  const {
    name,
    order,
    stages,
    parameters,
    minimum,
    motion,
    scratch = [],
    random,
  } = onlyNamed(integrator, 'part of an integrator', parts, {
    ...{ name: text, order: finite },
    motion: (value) => oneOf(value, 'integrator.motion', ['second-order', 'first-order']),
    scratch: (value) => listOf(value, 'integrator.scratch', 'names'),
  })
  if (parameters !== undefined) requireParameters(parameters, minimum)
  const own = Object.keys(parameters ?? {})
  for (const array of scratch) nameOf(array, 'integrator.scratch', Object.keys(arrays))
  const noise = random === undefined ? undefined : checkedRandom(random, arrays)
  const vectors = [...vectorsOf(arrays), ...scratch]
  const widthOf = (array: string) => (vectors.includes(array) ? dimension : 1)
  const long = lengthsOf({ arrays, dimension })
  const given = Object.keys(arrays).filter((name) => !Object.hasOwn(long, name))
  const names = [...new Set([...given, ...moving, ...scratch, ...(noise ? randomNames : [])])]
  // In a stage `h` is the time of the step, even if an attribute has that name. So are parameters.
  const read = names.filter((array) => array !== 'h' && !own.includes(array))
  const points = { dimension, names: read, vectors: read.filter((array) => vectors.includes(array)), long }
  const checked = stages.map((stage, n): IntegratorStage => {
    const part = `integrator.stages[${n}]`
    const kind = oneOf(stage?.kind, `${part}.kind`, ['map', 'force', 'turn', 'gauss-radau'])
    onlyNamed(stage, `part of ${part}`, stageParts[kind])
    if (stage.kind === 'force')
      return { kind: 'force', ...(stage.at !== undefined && { at: finite(stage.at, `${part}.at`) }) }
    if (stage.kind === 'turn') {
      if (motion === 'first-order')
        throw new TypeError(`"${part}.kind" expected map or force, as first-order motion has no velocities to turn`)
      const { fraction, at = 1 } = stage
      return { kind: 'turn', fraction: finite(fraction, `${part}.fraction`), at: finite(at, `${part}.at`) }
    }
    if (stage.kind === 'gauss-radau') {
      if (stages.length > 1 || motion === 'first-order')
        throw new TypeError(
          `"${part}.kind" expected map, force or turn, because gauss-radau is a whole step of second-order motion by itself`,
        )
      return { kind: 'gauss-radau', epsilon: positive(stage.epsilon, `${part}.epsilon`) }
    }
    const workload = map(stage.outputs, { ...parameters, h: finite(stage.fraction, `${part}.fraction`) })
    for (const [output, { length }] of Object.entries(stage.outputs).filter(([, list]) => Array.isArray(list)))
      if (vectors.includes(output) && length !== dimension && arrays.position.length > 0)
        throw new RangeError(
          `"${part}.outputs.${output}" expected ${dimension} components, as the points are in ${dimension}-D, got ${length}; make the integrator for ${dimension}-D, as langevin({ dimension: ${dimension}, ... }) does`,
        )
    requireNamed(workload, points)
    for (const [output, { length: width }] of mapComponents(workload, points)) {
      if (!names.includes(output))
        throw new TypeError(
          `"${part}.outputs" expected names of arrays that the particles have, got "${output}"; give it as an attribute`,
        )
      if (arrays.position.length > 0 && width !== widthOf(output))
        throw new RangeError(
          `"${part}.outputs.${output}" expected ${widthOf(output)} per point, as many numbers as the array "${output}" has, got ${width}`,
        )
    }
    return { kind: 'map', outputs: workload.outputs, fraction: stage.fraction }
  })
  const optional = {
    ...(parameters && { parameters: { ...parameters } }),
    ...(minimum && { minimum: { ...minimum } }),
    ...(motion && { motion }),
    ...(scratch.length > 0 && { scratch: [...scratch] }),
    ...(noise && { random: noise }),
  }
  return { name, order, stages: checked, ...optional }
}

const stageParts = {
  map: ['kind', 'outputs', 'fraction'],
  force: ['kind', 'at'],
  turn: ['kind', 'fraction', 'at'],
  'gauss-radau': ['kind', 'epsilon'],
}

/** @throws TypeError, RangeError */
function requireParameters(parameters: object, minimum: object = {}): void {
  numbersByName(parameters, ['pi', 'h'])
  onlyNamed(minimum, 'parameter of the integrator', Object.keys(parameters))
  for (const [name, least] of Object.entries(minimum)) finite(least, `integrator.minimum.${name}`)
  for (const [name, value] of Object.entries(parameters))
    finite(value, `integrator.parameters.${name}`, (minimum as Record<string, number>)[name])
}

function checkedRandom(random: NonNullable<Integrator['random']>, arrays: PointArrays): Integrator['random'] {
  const parts = ['seed', 'draws', 'inertia']
  const { seed, draws, inertia } = onlyNamed(random, 'part of integrator.random', parts, { inertia: text })
  for (const name of randomNames) nameOf(name, 'integrator.random', Object.keys(arrays))
  return {
    ...{ seed: whole(seed, 'integrator.random.seed', 0), draws: whole(draws, 'integrator.random.draws', 1) },
    ...(inertia !== undefined && { inertia }),
  }
}

/** Checks that noise has a mass to move wherever a point moves. @throws RangeError */
export function requireMassOfNoise({ name, random }: Integrator, arrays: PointArrays, fixed: readonly number[]): void {
  if (random?.inertia === undefined) return
  const still = new Set(fixed)
  const masses = arrays[random.inertia]
  const at = masses?.findIndex((mass, point) => !(mass > 0) && !still.has(point)) ?? -1
  if (at >= 0)
    throw new RangeError(
      `"${random.inertia}" expected numbers > 0 with ${name || 'this integrator'}, whose noise is divided by it, got ${masses?.[at]} at index ${at}; give the point a mass, or list it in "fixed"`,
    )
}
