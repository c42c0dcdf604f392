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
  /** One step. */
  step: StageSequence | undefined
  /** Copies components of vectors for the laws that read them, computes attributes, and finds the angles and dihedrals. */
  splitting: StageSequence | undefined
  #evaluation: StageSequence | undefined
  /** Move points onto their constraints, let velocities keep them, and find the virial of their forces. */
  readonly #holding = new Map<Holding, StageSequence>()
  #scaling: StageSequence | undefined
  readonly #stages: Stages
  readonly #plan: StepPlan

  constructor(stages: Stages, plan: StepPlan) {
    this.#stages = stages
    this.#plan = plan
  }

  async prepare(state: ClockedState): Promise<void> {
    const step = this.#plan.step(state, this.#stages.arrays)
    if (step.length > 0) this.step = await this.#stages.sequence(step)
    const splitting = this.#plan.splitting(state, this.#stages.arrays)
    if (splitting.length > 0) this.splitting = await this.#stages.sequence(splitting)
  }

  /** Computes the forces. */
  async evaluate(state: ClockedState): Promise<void> {
    await this.splitting?.run(1)
    this.#evaluation ??= await this.#stages.sequence(this.#plan.forces(0, state, this.#stages.arrays))
    await this.#evaluation.run(1)
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
    await this.step?.renew()
    await this.#evaluation?.renew()
    await this.splitting?.renew()
    for (const sequence of this.#others()) await sequence.renew()
  }

  /** Plans the stages again. */
  async replan(state: ClockedState): Promise<void> {
    this.#plan.forget()
    this.#stages.forget()
    await this.step?.renew(this.#plan.step(state, this.#stages.arrays))
    await this.#evaluation?.renew(this.#plan.forces(0, state, this.#stages.arrays))
    await this.splitting?.renew(this.#plan.splitting(state, this.#stages.arrays))
    for (const sequence of this.#others()) await sequence.renew()
  }

  /** Takes the number of points of now. Nothing is compiled. */
  async recount(state: ClockedState): Promise<void> {
    const { arrays } = this.#stages
    await this.#stages.recount()
    await this.step?.rebind(this.#plan.step(state, arrays))
    await this.#evaluation?.rebind(this.#plan.forces(0, state, arrays))
    await this.splitting?.rebind(this.#plan.splitting(state, arrays))
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
    for (const sequence of [this.step, this.#evaluation, this.splitting, ...this.#others()]) sequence?.dispose()
  }
}

/** Stages of constraints beside steps. */
type Holding = 'position' | 'velocity' | 'virial' | 'places' | 'speeds'
const stagesOf: Readonly<Record<Holding, (held: Held) => readonly PlannedStage[]>> = {
  position: placePoints,
  velocity: holdVelocities,
  virial: virialStages,
  places: (held) => offsetsOf(held, 'position'),
  speeds: (held) => offsetsOf(held, 'velocity'),
}
