/**
 * What a simulation is made of, as plain data: the description a user gives, and the state it has reached.
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
  /** Boundary, cutoff and exclusions. */
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
  /** Everything that moves, and the attributes. Without `acceleration` it is computed first. */
  readonly arrays: { readonly position: FloatArray; readonly velocity: FloatArray } & Readonly<
    Record<string, FloatArray>
  >
  /** Of a snapshot: what its fields mean. */
  readonly version?: number | undefined
  /** Of a snapshot: a checksum of each part. Left out of one that was changed on purpose. */
  readonly checksum?: Readonly<Record<string, string>> | undefined
}

/** Arrays that every simulation has, of which a user gives the first two; one number per component. */
export const moving: readonly string[] = ['position', 'velocity', 'acceleration', 'previous']

/** Checks a description and takes its arrays. @throws TypeError, RangeError */
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

/** The arrays with one number per component; of no points, those that always are. */
export function vectorsOf({ arrays }: Pick<SimulationState, 'arrays'>): readonly string[] {
  const { length } = arrays.position
  const own = Object.keys(arrays).filter((name) => length > 0 && arrays[name]?.length === length)
  return [...new Set([...moving, ...own])]
}

/**
 * The integrator, if every stage is a force, or a map that finds what it reads, and arrays of the right width for what it
 * writes.
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
  // One point of each array stands for all of them.
  const point: Record<string, FloatArray> = Object.fromEntries(
    names.map((array) => [array, new Float64Array(widthOf(array))]),
  )
  const checked = stages.map((stage, n): IntegratorStage => {
    const part = `integrator.stages[${n}]`
    const kind = oneOf(stage?.kind, `${part}.kind`, ['map', 'force'])
    onlyNamed(stage, `part of ${part}`, kind === 'map' ? ['kind', 'outputs', 'fraction'] : ['kind'])
    if (stage.kind === 'force') return { kind: 'force' }
    const workload = map(stage.outputs, { h: finite(stage.fraction, `${part}.fraction`) })
    // In a stage `h` is the time of the step, whatever attribute has the name.
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
