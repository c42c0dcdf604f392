/**
 * What a simulation is made of, as plain data: the description a user gives, and the state it has reached.
 *
 * @module
 */
import { describe, type FloatArray, finite, finiteArray, oneOf, onlyNamed, whole } from '../checks.ts'
import type { Interaction } from '../interactions/interaction.ts'
import { bind } from '../workloads/bind.ts'
import type { DomainOptions } from '../workloads/domain.ts'
import { accelerations } from '../workloads/pair.ts'
import { map } from '../workloads/particle.ts'
import type { Named, ParticleSet } from '../workloads/particles.ts'
import type { Dimension } from '../workloads/workload.ts'
import { type Integrator, leapfrog } from './integrators.ts'

export interface SimulationOptions<Given = Named> {
  /** A law with inertia. */
  readonly law: Interaction
  /** `position` and `velocity`, `[count, dimension]`, and the attributes that the law reads. */
  readonly particles: ParticleSet<Given> & { readonly velocity: FloatArray }
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
}

/** Checks a description. @throws TypeError, RangeError */
export function stateOf(options: SimulationOptions): SimulationState {
  const known = ['law', 'particles', 'integrator', 'dt', 'domain']
  const { law, particles, integrator = leapfrog, dt, domain = {} } = onlyNamed(options, 'simulation option', known)
  // Read once: exclusions may come from a generator.
  const lasting: DomainOptions = { ...domain, exclusions: [...(domain.exclusions ?? [])] }
  if (finite(dt, 'dt') === 0) throw new RangeError('"dt" expected a number other than 0, got 0')
  if (!Array.isArray(integrator?.stages))
    throw new TypeError(`"integrator" expected one such as leapfrog or yoshida4, got ${describe(integrator)}`)
  const { velocity: given, ...others } = { ...particles }
  const { shape, bindings } = bind(accelerations(law, lasting), others)
  if (!shape.sameSet) throw new TypeError('"particles" expected one set, as all of them move, got targets and sources')
  const { position, ...attributes } = bindings.targets.arrays as SimulationState['arrays']
  const velocity = finiteArray(
    given,
    'velocity',
    shape.targets * shape.dimension,
    `, ${shape.dimension} numbers per point`,
  )
  for (const name of ['acceleration', 'previous'])
    if (name in attributes)
      throw new TypeError(`"${name}" is computed by the simulation; leave it out of the particles`)
  const copies = Object.fromEntries(Object.entries(attributes).map(([name, array]) => [name, array.slice()]))
  const arrays = { position: position.slice(), velocity: velocity.slice(), ...copies }
  checkStages(integrator, { ...arrays, acceleration: velocity, previous: velocity, dimension: shape.dimension })
  return { law, domain: lasting, integrator, dt, dimension: shape.dimension, steps: 0, arrays }
}

/** Every stage is a force, or a map that finds what it reads and where its outputs go. @throws TypeError, RangeError */
function checkStages({ stages }: Integrator, particles: ParticleSet): void {
  for (const [n, stage] of stages.entries()) {
    const name = `integrator.stages[${n}]`
    if (oneOf(stage?.kind, `${name}.kind`, ['map', 'force']) !== 'map' || stage.kind === 'force') continue
    bind(map(stage.outputs, { h: finite(stage.fraction, `${name}.fraction`) }), particles)
    for (const output of Object.keys(stage.outputs))
      if (output === 'dimension' || !(output in particles))
        throw new TypeError(
          `"${name}.outputs" expected names of arrays that the particles have, got "${output}"; give it as an attribute`,
        )
  }
}

/** Checks a state from storage. @throws TypeError, RangeError */
export function restored(snapshot: SimulationState): SimulationState {
  if (!snapshot?.arrays)
    throw new TypeError(`"snapshot" expected what simulation.snapshot() gave, got ${describe(snapshot)}`)
  const { position, velocity, acceleration, previous, ...attributes } = snapshot.arrays
  const { law, domain, integrator, dt, dimension } = snapshot
  const particles = { ...attributes, position, velocity, dimension } as SimulationOptions['particles']
  const state = stateOf({ law, domain, integrator, dt, particles })
  const moved: Record<string, FloatArray> = {}
  for (const [name, array] of Object.entries({ acceleration, previous }))
    if (array) moved[name] = finiteArray(array, name, position.length).slice()
  return { ...state, steps: whole(snapshot.steps, 'steps', 0), arrays: { ...state.arrays, ...moved } }
}
