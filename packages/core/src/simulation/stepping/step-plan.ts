/**
 * The stages of a step and of the forces, as plans: which run and in which order, without a program. They depend on the forces, the
 * integrator, the clock, and on the form that numbers give to maps.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { lowArrays } from '../arrays.ts'
import { holdMoves, holdVelocities, shiftOutputs } from '../constraints/constraint-stages.ts'
import { encountersIn } from '../encounters.ts'
import { shapeOfBonds } from '../forces/bond-stages.ts'
import { computedReadTime } from '../forces/computed.ts'
import { readsTime } from '../forces/external-expressions.ts'
import type { ForceParts } from '../forces/force.ts'
import {
  callStages,
  componentStages,
  computedStages,
  forceStages,
  imageStages,
  squareStages,
  turnOf,
} from '../forces/force-stages.ts'
import { angleStages } from '../forces/link-stages.ts'
import type { EvaluationOptions, PlannedStage } from '../forces/planned-stage.ts'
import { turnsItself } from '../forces/turning-forces.ts'
import { radauIn } from '../gauss-radau/ias15.ts'
import { radauClock } from '../gauss-radau/radau-clock.ts'
import type { IntegratorStage } from '../kicks.ts'
import { addingLow, one } from '../low-parts.ts'
import { boxIn } from '../numbers/description.ts'
import { type NumbersByName, ofIntegrator, ownerOf, type SimulationNumbers } from '../numbers/numbers.ts'
import { reshapes } from '../numbers/symbols.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import { adaptiveClock } from './clocks/adaptive-clock.ts'
import type { Clock } from './clocks/clock.ts'
import { fixedClock } from './clocks/fixed-clock.ts'
import { targetOf, writtenBy } from './outcomes.ts'
import type { StepArrays } from './step-arrays.ts'

type MapStage = IntegratorStage & { readonly kind: 'map' }

export class StepPlan {
  /** Whether forces read the time. */
  readonly told: boolean
  clock: Clock
  readonly #device: Device
  #parts: ForceParts
  /** The stages of the step that turn velocities. */
  readonly #turns: PlannedStage[] = []
  /** The forces of the step, by the fraction of the step when they are evaluated. */
  readonly #forces = new Map<number, readonly PlannedStage[]>()
  readonly #clockOf: ClockOf

  constructor(device: Device, { state, parts }: BoundSimulation, clockOf: ClockOf = usualClock) {
    this.#device = device
    this.#parts = parts
    this.#clockOf = clockOf
    this.told = parts.external.some(readsTime) || computedReadTime(parts.computed)
    this.clock = clockOf(state, this.told, device, state.steps)
  }

  /** Takes the clock of a state. */
  reclock(state: ClockedState, steps: number): void {
    this.clock = this.#clockOf(state, this.told, this.#device, steps)
  }

  /** The stages of one step. @param given those of the integrator */
  step(
    state: ClockedState,
    arrays: StepArrays,
    given: readonly IntegratorStage[] = state.integrator.stages,
  ): readonly PlannedStage[] {
    const written = writtenBy(state)
    const moved = new Map([...arrays.components].filter(([, { vector }]) => written.has(vector)))
    const planned = given.flatMap((stage): readonly PlannedStage[] => {
      if (stage.kind === 'force') return [...componentStages(moved), ...this.forces(stage.at ?? 1, state, arrays)]
      if (stage.kind === 'turn') return this.#turn(stage, state, arrays)
      // The host computes such a step.
      if (stage.kind === 'gauss-radau') return []
      const motion = this.#motion(stage, state, arrays)
      const held = stage.outputs.position && arrays.constraints?.held
      if (!held) return [motion]
      return holdMoves(held, [motion], this.#motion({ ...stage, outputs: shiftOutputs }, state, arrays))
    })
    const { constraints } = arrays
    return [
      ...this.clock.before,
      ...planned,
      ...(constraints ? holdVelocities(constraints.held) : []),
      ...this.clock.after,
    ]
  }

  /**
   * Whether the forces at the end of a step may as well be computed at the start of the next one. If forces read the time, their last bits
   * depend on the step that they belong to.
   */
  endsWithForces({ integrator, dt }: ClockedState, { constraints }: StepArrays): boolean {
    return integrator.stages.at(-1)?.kind === 'force' && typeof dt === 'number' && !this.told && !constraints
  }

  /** A map of the integrator. Where its outputs have low parts, it gives both. */
  #motion(
    { outputs: given, fraction }: MapStage,
    { dt, dimension, arrays: points }: ClockedState,
    { numbers, vectors }: StepArrays,
  ): PlannedStage {
    const lows = Object.keys(lowArrays).filter(
      (name) => given[name] && Object.hasOwn(points, lowArrays[name] as string),
    )
    const shown = lows.length > 0 ? addingLow(given, lows, { vectors, dimension }) : given
    const { [ofIntegrator]: own = {} } = numbers.parameters
    const workload = this.clock.stage(shown, fraction, lows.length > 0 ? { ...own, ...one } : own)
    const outputs = Object.fromEntries(Object.keys(shown).map((name) => [name, name]))
    return { workload, outputs, ...(typeof dt === 'number' && { fraction }) }
  }

  /** The stage that turns velocities, if some force does. */
  #turn(
    { fraction, at = 1 }: IntegratorStage & { readonly kind: 'turn' },
    state: ClockedState,
    arrays: StepArrays,
  ): readonly PlannedStage[] {
    const turn = turnOf(this.#parts, this.#optionsAt(at, state, arrays))
    if (!turn) return []
    const workload = this.clock.stage({ velocity: turn.velocity }, fraction, turn.parameters)
    const fixed = typeof state.dt === 'number' && { fraction }
    const stage = { workload, outputs: { velocity: 'velocity' }, ...fixed }
    this.#turns.push(stage)
    return [stage]
  }

  #optionsAt(at: number, state: ClockedState, { vectors, lengths, ends, numbers }: StepArrays): EvaluationOptions {
    const { fixed = [], integrator } = state
    return {
      ...{ ...this.#shapeOf(state), time: this.clock.at(at), target: targetOf(state), vectors, rounds: ends.rounds },
      ...{ lengths, fixed: fixed.length > 0, turned: turnsItself(integrator), numbers: numbers.parameters },
    }
  }

  /** The stages that compute the forces when a fraction of a step has passed. */
  forces(at: number, state: ClockedState, arrays: StepArrays): readonly PlannedStage[] {
    const known = this.#forces.get(at)
    if (known) return known
    const stages = forceStages(this.#parts, this.#optionsAt(at, state, arrays))
    this.#forces.set(at, stages)
    return stages
  }

  /** The stages that find the points in a right-angled box, copy components of vectors for the laws that read them, compute attributes, look functions up, copy images, and find the angles and dihedrals. */
  splitting(state: ClockedState, { components, numbers, lengths }: StepArrays): readonly PlannedStage[] {
    const space = { dimension: state.dimension, lengths }
    const angles = angleStages(this.#parts, { ...this.#shapeOf(state), numbers: numbers.parameters })
    return [
      ...squareStages(this.#parts),
      ...componentStages(components),
      ...computedStages(this.#parts, { time: this.clock.at(0), ...space }),
      ...callStages(this.#parts, { time: this.clock.at(0), numbers: numbers.parameters }),
      ...this.#parts.pairs.flatMap((pair) => imageStages(pair, space)),
      ...angles,
    ]
  }

  #shapeOf({ dimension }: ClockedState): { readonly dimension: Dimension; readonly rounding: number } {
    return { dimension, rounding: this.#device.info.precision === 'f32' ? 2 ** -24 : 2 ** -53 }
  }

  /** Forces are planned again when they are next asked for. @param parts of the force from now on */
  forget(parts: ForceParts = this.#parts): void {
    this.#parts = parts
    this.#forces.clear()
    this.#turns.length = 0
  }

  /** Whether other numbers change the form of maps: see `numbers/symbols.ts`. */
  reshaped(before: SimulationNumbers, numbers: SimulationNumbers, { dimension }: ClockedState): boolean {
    const planned = [...this.#forces.values(), this.#turns].flat().map(({ workload }) => workload)
    const read = planned.flatMap((workload) => ('parameters' in workload ? Object.keys(workload.parameters) : []))
    if (reshapes(before.parameters, numbers.parameters, new Set(read))) return true
    return this.#parts.bonds.some(({ workload, bonds }, n) => {
      const owner = ownerOf('Bonds', n)
      const [some, others] = [before, numbers].map(({ parameters }) => parameters[owner] as NumbersByName)
      if (some === others) return false
      const shapeBy = (parameters: NumbersByName) => shapeOfBonds(workload, bonds, { dimension, owner, parameters })
      return shapeBy(some as NumbersByName) !== shapeBy(others as NumbersByName)
    })
  }
}

/** The clock of a state. @param told whether forces read the time @param steps how many were taken */
export type ClockOf = (state: ClockedState, told: boolean, device: Device, steps: number) => Clock

const usualClock: ClockOf = (state, told, device, steps) => {
  const { dt, clock, integrator } = state
  if (radauIn(integrator)) return radauClock(clock.time, told)
  if (typeof dt === 'number') return fixedClock(clock, told, steps)
  const held = device.info.precision === 'f32' ? Math.fround : (x: number) => x
  return adaptiveClock(dt, told, clock, held, encountersIn(state, boxIn(state)))
}
