/**
 * The sequences of a simulation on one device: the stages of a step, of the forces alone, and of the arrays that these read.
 *
 * @module
 */
import { scalingStages } from '../barostat/scaling-stages.ts'
import { type Held, holdVelocities, offsetsOf, placePoints, virialStages } from '../constraints/constraint-stages.ts'
import type { PlannedStage } from '../forces/force-stages.ts'
import { factorIn } from '../numbers/box.ts'
import type { ClockedState } from '../state.ts'
import type { StageSequence } from './stage-sequence.ts'
import type { Stages } from './stages.ts'
import type { StepPlan } from './step-plan.ts'

export class StepSequences {
  readonly #planned = new Map<Planned, StageSequence>()
  /** Move points onto their constraints, let velocities keep them, and find the virial of their forces. */
  readonly #holding = new Map<Holding, StageSequence>()
  #scaling: StageSequence | undefined
  readonly #stages: Stages
  readonly #plan: StepPlan

  constructor(stages: Stages, plan: StepPlan) {
    this.#stages = stages
    this.#plan = plan
  }

  /** One step. */
  get step(): StageSequence | undefined {
    return this.#planned.get('step')
  }

  /** Copies components of vectors for the laws that read them, computes attributes, and finds the angles and dihedrals. */
  get splitting(): StageSequence | undefined {
    return this.#planned.get('splitting')
  }

  async prepare(state: ClockedState): Promise<void> {
    for (const name of ['step', 'splitting'] as const)
      if (this.#stagesOf(name, state).length > 0) await this.#sequence(name, state)
  }

  /** Computes the forces. */
  async evaluate(state: ClockedState): Promise<void> {
    await (await this.#sequence('forces', state)).run(1)
  }

  /** Computes the forces, and takes one step. */
  async begin(state: ClockedState, signal?: AbortSignal): Promise<void> {
    await (await this.#sequence('first step', state)).run(1, signal && { signal })
  }

  #stagesOf(name: Planned, state: ClockedState): readonly PlannedStage[] {
    const { arrays } = this.#stages
    const parts = { step: () => this.#plan.step(state, arrays), splitting: () => this.#plan.splitting(state, arrays) }
    if (name === 'step' || name === 'splitting') return parts[name]()
    const forces = [...parts.splitting(), ...this.#plan.forces(0, state, arrays)]
    return name === 'forces' ? forces : [...forces, ...parts.step()]
  }

  async #sequence(name: Planned, state: ClockedState): Promise<StageSequence> {
    const sequence = this.#planned.get(name) ?? (await this.#stages.sequence(this.#stagesOf(name, state)))
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

  /** Takes the numbers of now. */
  async renew(): Promise<void> {
    for (const sequence of this.#all()) await sequence.renew()
  }

  /** Plans the stages again. */
  async replan(state: ClockedState): Promise<void> {
    this.#plan.forget()
    this.#stages.forget()
    for (const [name, sequence] of this.#planned) await sequence.renew(this.#stagesOf(name, state))
    for (const sequence of this.#others()) await sequence.renew()
  }

  /** Takes the number of points of now. Nothing is compiled. @param state for stages that are planned again */
  async recount(state?: ClockedState): Promise<void> {
    await this.#stages.recount()
    for (const [name, sequence] of this.#planned) await sequence.rebind(state && this.#stagesOf(name, state))
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

  #all(): readonly StageSequence[] {
    return [...this.#planned.values(), ...this.#others()]
  }

  dispose(): void {
    for (const sequence of this.#all()) sequence.dispose()
  }
}

/** Stages that the plan makes. */
type Planned = 'step' | 'splitting' | 'forces' | 'first step'

/** Stages of constraints beside steps. */
type Holding = 'position' | 'velocity' | 'virial' | 'places' | 'speeds'
const stagesOf: Readonly<Record<Holding, (held: Held) => readonly PlannedStage[]>> = {
  position: placePoints,
  velocity: holdVelocities,
  virial: virialStages,
  places: (held) => offsetsOf(held, 'position'),
  speeds: (held) => offsetsOf(held, 'velocity'),
}
