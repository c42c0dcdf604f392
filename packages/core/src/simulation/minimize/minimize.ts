/**
 * A minimum of the potential energy, found on the device of a simulation. The steps of the descent are no steps of the simulation: its
 * velocities, time and integrator stay as they are, and noise takes no part.
 *
 * @module
 */

import type { Device } from '../../contract/backend.ts'
import { axesOf } from '../../ground/axes.ts'
import {
  type FloatArray,
  finite,
  firstNotFinite,
  onlyNamed,
  positive,
  whileRunning,
  whole,
} from '../../ground/checks.ts'
import { open } from '../../problem/typed-at-once.ts'
import { sidesOf } from '../../problem/workloads/domain.ts'
import { boundWith } from '../bound-simulation.ts'
import { velocityForces } from '../forces/velocity-forces.ts'
import { totalOf } from '../reading/scratch-run.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import { clockAt, timeOf } from '../stepping/clocks/clock-state.ts'
import { fixedClock } from '../stepping/clocks/fixed-clock.ts'
import { mostWhole } from '../stepping/end-arrays.ts'
import type { LiveChanges } from '../stepping/live-changes.ts'
import type { LiveState } from '../stepping/live-state.ts'
import { targetOf } from '../stepping/outcomes.ts'
import type { SharedPrograms } from '../stepping/recovery.ts'
import { Stepper } from '../stepping/stepper.ts'
import { writtenTo } from '../stepping/written.ts'
import { type FireOptions, fireClock, fireNames, fireSteps } from './fire.ts'

export interface MinimizeOptions {
  /** The descent ends when no point feels a larger force: the largest length of a force vector, in the unit of force. */
  readonly force: number
  /** The most steps; 10,000 by default. Each computes the forces once. */
  readonly steps?: number
  /** The farthest that a point moves in one step. By default a tenth of the mean distance of neighbours, if points filled their extent. */
  readonly reach?: number
  /** The length of the first step; by default that of the simulation. Further steps adapt. */
  readonly dt?: number
  readonly signal?: AbortSignal
}

export interface Minimum {
  /** Steps taken. */
  readonly steps: number
  /** The largest force on a point now. */
  readonly force: number
  /** Whether that is at most the force asked for. */
  readonly converged: boolean
}

/** So long, in milliseconds, the device works before it is asked whether it is done. */
const stretch = 50

/** A checked request. */
type Request = Required<Pick<MinimizeOptions, 'force' | 'steps'>> & Omit<MinimizeOptions, 'force' | 'steps'>

/** @throws TypeError, RangeError */
function checkedMinimize(given: MinimizeOptions): Request {
  const options = onlyNamed(given, 'option of minimize', ['force', 'steps', 'reach', 'dt', 'signal'], whileRunning)
  const { force, steps = 10_000, reach, dt, signal } = options
  if (whole(steps, 'steps', 1) >= mostWhole)
    throw new RangeError(`"steps" expected at most ${mostWhole - 1}, as float32 counts no further, got ${steps}`)
  return {
    ...{ force: finite(force, 'force', 0), steps },
    ...(reach !== undefined && { reach: positive(reach, 'reach') }),
    ...(dt !== undefined && { dt: positive(dt, 'dt') }),
    ...(signal && { signal }),
  }
}

/** Moves the points to a minimum. @throws TypeError for forces of velocities; RangeError for forces that are not finite; `signal.reason` when aborted */
export async function minimize(live: LiveState, changes: LiveChanges, given: MinimizeOptions): Promise<Minimum> {
  const request = checkedMinimize(given)
  request.signal?.throwIfAborted()
  const state = await live.requireFinite(false)
  requireOfPlaces(live, state)
  if (state.arrays.position.length === 0) return { steps: 0, force: 0, converged: true }
  const { position, ...minimum } = await live.devices.on((programs) =>
    descend(boundWith(live.now, state), programs, live, request),
  )
  if (minimum.steps > 0) await changes.write(writtenTo(state, 'position', position, {}))
  return minimum
}

/** @throws TypeError for constraints, and for a force that reads velocities */
function requireOfPlaces({ parts }: LiveState, { arrays, dimension, integrator, constraints }: ClockedState): void {
  if (constraints)
    throw new TypeError(
      '"minimize" expected a simulation without constraints, which its descent does not hold; minimize with stiff bonds in their place, then simulate with constraints',
    )
  const [first] = integrator.motion === 'first-order' ? [] : velocityForces(parts, arrays, dimension)
  if (first)
    throw new TypeError(
      `"minimize" expected forces that depend on places alone, got ${first.name}, which reads velocities: it has no potential energy; minimize a simulation without it`,
    )
}

type Descent = Minimum & { readonly position: FloatArray }

/** The descent on one device, from the beginning. */
async function descend(
  bound: BoundSimulation,
  programs: SharedPrograms,
  live: LiveState,
  request: Request,
): Promise<Descent> {
  const { state, parts } = bound
  const { device } = programs
  const { integrator, dimension, clock } = state
  const target = targetOf(state)
  const options: FireOptions = {
    ...{ force: request.force, steps: request.steps, dimension, target, inertia: parts.inertia },
    dt: request.dt ?? firstStep(state, live),
    reach: request.reach ?? usualReach(bound),
    most: device.info.precision === 'f32' ? 1e30 : 1e290,
  }
  const now = { ...clockAt(clock, state.steps), dt: options.dt }
  const own = { ...state, integrator: fireSteps(integrator.motion, target), dt: options.dt, clock: now }
  const stepper = await Stepper.create(programs, { ...bound, state: own }, (_, told, _device, steps) =>
    fireClock(fixedClock(now, told, steps), options),
  )
  try {
    await walk(stepper, request)
    const after = await stepper.save()
    const [steps, force] = [await stepper.reads.single(fireNames.taken), await stepper.reads.single(fireNames.force)]
    const forces = after.arrays[target] as FloatArray
    const stray = firstNotFinite(forces)
    if (stray >= 0) throw await divergedAt({ ...bound, state: after }, Math.floor(stray / dimension), device, steps)
    return { steps, force, converged: force <= request.force, position: after.arrays.position }
  } finally {
    stepper.dispose()
  }
}

/** Takes steps until nothing moves any more. @throws `signal.reason` when aborted */
async function walk(stepper: Stepper, { steps, signal }: Request): Promise<void> {
  // After its last step, it measures the forces once more.
  for (let [left, together] = [steps + 1, 1]; left > 0; ) {
    signal?.throwIfAborted()
    const start = performance.now()
    const next = Math.min(left, together)
    await stepper.run(next, signal)
    left -= next
    if ((await stepper.reads.single(fireNames.done)) === 1) return
    if (!Number.isFinite(await totalOf(stepper.buffer('position')))) return
    if (performance.now() - start < stretch) together *= 2
  }
}

function firstStep({ dt }: ClockedState, { dt: latest }: LiveState): number {
  return typeof dt === 'number' ? Math.abs(latest) : dt.longest
}

/** A tenth of the mean distance of neighbours, if points filled a cube as long as their extent or their box. */
function usualReach({ state, parts }: BoundSimulation): number {
  const { arrays, dimension } = state
  const { position } = arrays
  const { boundary = open() } =
    parts.pairs.find(({ workload }) => workload.domain.boundary.kind !== 'open')?.workload.domain ?? {}
  const lengths = sidesOf(boundary)
  const extents = axesOf(dimension).map((_, axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let n = axis; n < position.length; n += dimension) {
      low = Math.min(low, position[n] as number)
      high = Math.max(high, position[n] as number)
    }
    return Math.min(high - low, lengths[axis] ?? Number.POSITIVE_INFINITY)
  })
  const extent = Math.max(...extents)
  // A point alone has no neighbours.
  return extent > 0 ? extent / (10 * (position.length / dimension) ** (1 / dimension)) : Number.POSITIVE_INFINITY
}

/** The error for a point without a finite force. */
async function divergedAt(bound: BoundSimulation, point: number, device: Device, steps: number): Promise<Error> {
  const { whyStray } = await import('../reading/why-stray.ts')
  const { state } = bound
  const time = timeOf(state, state.clock, state.steps)
  const why = whyStray({ ...bound, time, point, quantity: 'force', precision: device.info.precision })
  const when = steps > 0 ? ` after step ${steps} of the descent` : ''
  return new RangeError(
    `Cannot minimize: the force on point ${point} is not finite${when}${why ? `: ${why}` : ''}; move points apart, or give a smaller reach`,
  )
}
