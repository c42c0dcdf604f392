/**
 * A simulation as plain data: the description that a user gives, and the state that it has reached.
 *
 * @module
 */
import { describe, type FloatArray, finite, type Numbers, oneOf, onlyNamed, takenArray, text } from '../checks.ts'
import type { Interaction } from '../interactions/interaction.ts'
import { bind } from '../workloads/bind.ts'
import { mapComponents } from '../workloads/bodies/element-body.ts'
import { type DomainOptions, optionsOf } from '../workloads/domain.ts'
import { accelerations } from '../workloads/pair.ts'
import { map } from '../workloads/particle.ts'
import { isSet, type Named, type ParticleSet } from '../workloads/particles.ts'
import type { Dimension } from '../workloads/workload.ts'
import { type Integrator, type IntegratorStage, leapfrog } from './integrators.ts'

export interface SimulationOptions<Given = Named> {
  /** A law with inertia. */
  readonly law: Interaction
  /** `position` and `velocity`, `[count, dimension]`, and the attributes that the law reads. */
  readonly particles: ParticleSet<Given> & { readonly velocity: Numbers }
  /** {@link leapfrog} by default. */
  readonly integrator?: Integrator
  /** Time of one step, not 0; negative runs backwards. */
  readonly dt: number
  /** The boundary, cutoff and exclusions. */
  readonly domain?: DomainOptions
}

/** A state that can be stored and resumed; typed arrays and JSON, safe for `structuredClone`. */
export interface SimulationState {
  readonly law: Interaction
  readonly domain: DomainOptions
  readonly integrator: Integrator
  readonly dt: number
  readonly dimension: Dimension
  readonly steps: number
  /** Everything that moves, and the attributes. `acceleration` is computed first if it is missing. */
  readonly arrays: { readonly position: FloatArray; readonly velocity: FloatArray } & Readonly<
    Record<string, FloatArray>
  >
  /** In snapshots: the version of the fields. */
  readonly version?: number | undefined
  /** In snapshots: a checksum of each part. Delete them if you change a snapshot on purpose. */
  readonly checksum?: Readonly<Record<string, string>> | undefined
}

/** Arrays that every simulation has, with one number per component. A user gives the first two. */
export const moving: readonly string[] = ['position', 'velocity', 'acceleration', 'previous']

/** Checks a description and copies its arrays. @throws TypeError, RangeError */
export function stateOf(options: SimulationOptions): SimulationState {
  const known = ['law', 'particles', 'integrator', 'dt', 'domain']
  const { law, particles, integrator = leapfrog, dt, domain = {} } = onlyNamed(options, 'simulation option', known)
  if (finite(dt, 'dt') === 0) throw new RangeError('"dt" expected a number other than 0, got 0')
  if (!Array.isArray(integrator?.stages))
    throw new TypeError(`"integrator" expected one such as leapfrog or yoshida4, got ${describe(integrator)}`)
  if (!isSet(particles))
    throw new TypeError(`"particles" expected { position, velocity, ... }, got ${describe(particles)}`)
  const { velocity: given, ...others } = particles
  const pull = accelerations(law, domain)
  const { shape, bindings } = bind(pull, others)
  if (!shape.sameSet) throw new TypeError('"particles" expected one set, as all of them move, got targets and sources')
  const { position, ...attributes } = bindings.targets.arrays as { position: FloatArray; [name: string]: FloatArray }
  const velocity = takenArray(
    given,
    'velocity',
    shape.targets * shape.dimension,
    `, ${shape.dimension} numbers per point`,
  )
  for (const name of ['acceleration', 'previous'])
    if (name in attributes)
      throw new TypeError(`"${name}" is computed by the simulation; leave it out of the particles`)
  const arrays = { position, velocity, ...attributes }
  const about = { law: pull.law, domain: optionsOf(pull.domain), dt, dimension: shape.dimension, steps: 0 }
  return { ...about, integrator: checkedIntegrator(integrator, arrays, shape.dimension), arrays }
}

/** The arrays with one number per component. Without points, those that always have. */
export function vectorsOf({ arrays }: Pick<SimulationState, 'arrays'>): readonly string[] {
  const { length } = arrays.position
  const own = Object.keys(arrays).filter((name) => length > 0 && arrays[name]?.length === length)
  return [...new Set([...moving, ...own])]
}

/**
 * Checks the integrator: every stage is a force, or a map whose inputs exist and whose outputs have arrays of the right width.
 *
 * @throws TypeError, RangeError
 */
function checkedIntegrator(
  integrator: Integrator,
  arrays: SimulationState['arrays'],
  dimension: Dimension,
): Integrator {
  const { name, order, stages } = onlyNamed(integrator, 'part of an integrator', ['name', 'order', 'stages'], {
    name: text,
    order: finite,
  })
  const vectors = vectorsOf({ arrays })
  const widthOf = (array: string) => (vectors.includes(array) ? dimension : 1)
  const names = [...new Set([...Object.keys(arrays), ...moving])]
  // Check with one point of each array, which stands for all of them.
  const point: Record<string, FloatArray> = Object.fromEntries(
    names.map((array) => [array, new Float64Array(widthOf(array))]),
  )
  const checked = stages.map((stage, n): IntegratorStage => {
    const part = `integrator.stages[${n}]`
    const kind = oneOf(stage?.kind, `${part}.kind`, ['map', 'force'])
    onlyNamed(stage, `part of ${part}`, kind === 'map' ? ['kind', 'outputs', 'fraction'] : ['kind'])
    if (stage.kind === 'force') return { kind: 'force' }
    const workload = map(stage.outputs, { h: finite(stage.fraction, `${part}.fraction`) })
    // In a stage `h` is the time of the step, even if an attribute has that name.
    const { shape } = bind(workload, { ...point, h: undefined, dimension })
    for (const [output, { length: width }] of mapComponents(workload, shape)) {
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
  return { name, order, stages: checked }
}
