/**
 * The sequences of a simulation on one device: the stages of a step, of the forces alone, and of the arrays that these read.
 *
 * @module
 */

import { tellsWidths } from '../arrays.ts'
import { scalingStages } from '../barostat/scaling-stages.ts'
import { type Held, holdVelocities, offsetsOf, placePoints, virialStages } from '../constraints/constraint-stages.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import { factorIn } from '../numbers/box.ts'
import type { ClockedState } from '../state.ts'
import type { StageSequence } from './stage-sequence.ts'
import type { Stages } from './stages.ts'
import type { StepPlan } from './step-plan.ts'

export class StepSequences {
  readonly #planned = new Map<Planned, StageSequence>()
  /** Those that take other numbers, the arrays of now, or also other stages before they run again. */
  readonly #stale = new Map<Planned, Stale>()
  /** Move points onto their constraints, let velocities keep them, and find the virial of their forces. */
  readonly #holding = new Map<Holding, StageSequence>()
  #scaling: StageSequence | undefined
  readonly #stages: Stages
  readonly #plan: StepPlan

  constructor(stages: Stages, plan: StepPlan) {
    this.#stages = stages
    this.#plan = plan
  }

  /** One step, if it is ready. @param late whether it computes the forces at its start, not at its end */
  ready(late: boolean): StageSequence | undefined {
    const name = late ? 'late step' : 'step'
    return this.#stale.has(name) ? undefined : this.#planned.get(name)
  }

  async prepare(state: ClockedState): Promise<void> {
    for (const name of ['step', 'splitting'] as const)
      if (this.#stagesOf(name, state).length > 0) await this.#sequence(name, state)
  }

  async advance(state: ClockedState, times: number, signal?: AbortSignal): Promise<void> {
    if (this.#planned.has('step')) await this.#run('step', state, times, signal)
  }

  /** Copies components of vectors for the laws that read them, computes attributes, and finds the angles and dihedrals. */
  async split(state: ClockedState): Promise<void> {
    if (this.#planned.has('splitting')) await this.#run('splitting', state)
  }

  /** Computes the forces. */
  evaluate(state: ClockedState): Promise<void> {
    return this.#run('forces', state)
  }

  /** Takes steps that compute the forces at their start, not at their end. */
  advanceLate(state: ClockedState, times: number, signal?: AbortSignal): Promise<void> {
    return this.#run('late step', state, times, signal)
  }

  /** Computes the forces, and takes one step. */
  begin(state: ClockedState, signal?: AbortSignal): Promise<void> {
    return this.#run('first step', state, 1, signal)
  }

  async #run(name: Planned, state: ClockedState, times: number = 1, signal?: AbortSignal): Promise<void> {
    const sequence = await this.#sequence(name, state)
    await sequence.run(times, signal && { signal })
  }

  #stagesOf(name: Planned, state: ClockedState): readonly PlannedStage[] {
    const { arrays } = this.#stages
    // Forces without points compute nothing, and nothing tells which of the arrays that they read are vectors.
    if (!tellsWidths(state)) return name.endsWith('step') ? this.#plan.step(state, arrays, []) : []
    const parts = { step: () => this.#plan.step(state, arrays), splitting: () => this.#plan.splitting(state, arrays) }
    if (name === 'step' || name === 'splitting') return parts[name]()
    const forces = [...parts.splitting(), ...this.#plan.forces(0, state, arrays)]
    if (name === 'forces') return forces
    if (name === 'first step') return [...forces, ...parts.step()]
    return [...forces, ...this.#plan.step(state, arrays, state.integrator.stages.slice(0, -1))]
  }

  async #sequence(name: Planned, state: ClockedState): Promise<StageSequence> {
    const known = this.#planned.get(name)
    const stale = this.#stale.get(name)
    if (stale === 'numbers') await known?.renew()
    else if (stale) await known?.rebind(stale === 'plans' ? this.#stagesOf(name, state) : undefined)
    this.#stale.delete(name)
    const sequence = known ?? (await this.#stages.sequence(this.#stagesOf(name, state)))
    this.#planned.set(name, sequence)
    return sequence
  }

  /** Runs stages of constraints. */
  async hold(part: Holding): Promise<void> {
    const { arrays } = this.#stages
    const { constraints } = arrays
    if (!constraints) return
    const known = this.#holding.get(part)
    const sequence = known ?? (await this.#stages.sequence(stagesOf[part](constraints.held)))
    this.#holding.set(part, sequence)
    await sequence.run(1)
  }

  /** Takes the numbers of now. What runs next does so at once, with all programs that there are; a step alone when it is asked for. */
  async renew(): Promise<void> {
    for (const [name, sequence] of this.#fresh())
      if (name === 'step' && (this.#planned.has('first step') || this.#planned.has('late step')))
        this.#stale.set(name, 'numbers')
      else await sequence.renew()
    for (const sequence of this.#others()) await sequence.renew()
  }

  /** Plans the stages again. */
  async replan(state: ClockedState): Promise<void> {
    this.#plan.forget()
    this.#stages.forget()
    for (const [name, sequence] of this.#fresh()) await sequence.renew(this.#stagesOf(name, state))
    for (const name of this.#stale.keys()) this.#stale.set(name, 'plans')
    for (const sequence of this.#others()) await sequence.renew()
  }

  /** Sequences take the number of points of now when they are next asked for. Nothing is compiled. @param plans whether stages are planned again */
  async recount(plans: boolean): Promise<void> {
    await this.#stages.recount()
    for (const name of this.#planned.keys())
      this.#stale.set(name, plans || this.#stale.get(name) === 'plans' ? 'plans' : 'arrays')
    // It may be long until the box changes again.
    this.#scaling?.dispose()
    this.#scaling = undefined
  }

  /** The sequences for the number of points of now. */
  #fresh(): readonly [Planned, StageSequence][] {
    return [...this.#planned].filter(([name]) => !this.#stale.has(name))
  }

  /** Moves centres and points with a box that was scaled. */
  async scale(): Promise<void> {
    const { constraints, numbers } = this.#stages.arrays
    this.#scaling ??= await this.#stages.sequence(scalingStages(constraints?.held, factorIn(numbers)))
    await this.#scaling.run(1)
  }

  #others(): readonly StageSequence[] {
    return [...this.#holding.values(), ...(this.#scaling ? [this.#scaling] : [])]
  }

  dispose(): void {
    for (const sequence of [...this.#planned.values(), ...this.#others()]) sequence.dispose()
  }
}

type Stale = 'numbers' | 'arrays' | 'plans'

/** Stages that the plan makes. */
type Planned = 'step' | 'splitting' | 'forces' | 'first step' | 'late step'

/** Stages of constraints beside steps. */
type Holding = 'position' | 'velocity' | 'virial' | 'places' | 'speeds'
const stagesOf: Readonly<Record<Holding, (held: Held) => readonly PlannedStage[]>> = {
  position: placePoints,
  velocity: holdVelocities,
  virial: virialStages,
  places: (held) => offsetsOf(held, 'position'),
  speeds: (held) => offsetsOf(held, 'velocity'),
}
