/**
 * The step when numbers of a simulation stopped being finite. It is found by taking the steps since the saved state again.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import { firstNotFinite } from '../../ground/checks.ts'
import { boundWith } from '../bound-simulation.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import type { Change } from './change-log.ts'
import { timeOf } from './clocks/clock-state.ts'
import type { SharedPrograms } from './recovery.ts'
import { Stepper } from './stepper.ts'

/** When numbers diverged, and why, if the forces tell. */
export interface Divergence {
  /** The latest step with finite numbers only; -1 if the numbers at the start were not finite. */
  readonly finiteSteps: number
  readonly why: string | undefined
}

/** The steps since the saved state. */
interface Taken {
  readonly bound: BoundSimulation
  readonly changes: readonly Change[]
  /** The steps after which numbers are no longer finite. */
  readonly steps: number
}

export async function divergenceIn(
  { bound, changes, steps: reached }: Taken,
  programs: SharedPrograms,
): Promise<Divergence> {
  let good = bound.state
  const whyAt = (state: ClockedState) => whyForces(boundWith(bound, state), programs.device)
  const stateAfter = (steps: number) => stateLater({ bound: boundWith(bound, good), changes, steps }, programs)
  const start = await stateAfter(0)
  if (!allFinite(start)) return { finiteSteps: good.steps - 1, why: await whyAt(start) }
  for (let bad = reached; bad - good.steps > 1; ) {
    const steps = Math.floor((bad - good.steps) / 2)
    const state = await stateAfter(steps)
    if (allFinite(state)) good = state
    else bad = good.steps + steps
  }
  const next = await stateAfter(1)
  return { finiteSteps: good.steps, why: (await whyAt(next)) ?? whyLost(next) }
}

/** The state some steps after another, with the changes on the way. Changes after the last step are not made. */
async function stateLater({ bound, changes, steps }: Taken, programs: SharedPrograms): Promise<ClockedState> {
  const stepper = await Stepper.create(programs, bound)
  const from = bound.state.steps
  const last = from + steps
  try {
    for (const change of changes.filter((one) => one.steps >= from && one.steps < last)) {
      await stepper.run(change.steps - stepper.steps)
      await change.apply(stepper)
    }
    await stepper.run(last - stepper.steps)
    return await stepper.save()
  } finally {
    stepper.dispose()
  }
}

/** Which force of a state has no finite value. */
async function whyForces(bound: BoundSimulation, { info }: Device): Promise<string | undefined> {
  const { state } = bound
  const { arrays, dimension, integrator } = state
  const at = firstNotFinite(
    arrays[integrator.motion === 'first-order' ? 'velocity' : 'acceleration'] ?? arrays.velocity,
  )
  if (at < 0) return undefined
  const { whyStray } = await import('../reading/why-stray.ts')
  const { precision } = info
  const point = Math.floor(at / dimension)
  return whyStray({ ...bound, time: timeOf(state, state.clock, state.steps), point, quantity: 'force', precision })
}

/** Which constraint could not be held. */
function whyLost({ constraints, arrays, dimension }: ClockedState): string | undefined {
  const at = Math.floor(firstNotFinite(arrays.position) / dimension)
  const lost = constraints?.distances.find(([a, b]) => a === at || b === at)
  return (
    lost &&
    `the distance of points ${lost[0]} and ${lost[1]} could not be restored to ${lost[2]} after they had moved so far`
  )
}

const allFinite = ({ arrays }: ClockedState) => Object.values(arrays).every((array) => firstNotFinite(array) < 0)
