/**
 * The clock on a device: its time can be read, and no adaptive step goes beyond a time that is set.
 *
 * @module
 */
import type { StepArrays } from '../step-arrays.ts'
import { clockNames, endless } from './adaptive-clock.ts'
import type { ClockState } from './clock-state.ts'

/** The clock now, where steps adapt; otherwise, the clock when the steps began. */
export function readClock(arrays: StepArrays, began: ClockState, steps: number): ClockState | Promise<ClockState> {
  return arrays.single[clockNames.dt] ? readAdaptive(arrays, steps) : began
}

async function readAdaptive({ single }: StepArrays, steps: number): Promise<ClockState> {
  const { dt, time, rest } = clockNames
  const read = async (name: string) => (await single[name]?.read())?.[0] ?? Number.NaN
  const [now, lost, latest] = await Promise.all([read(time), read(rest), read(dt)])
  return { time: [now, lost], steps, dt: latest }
}

/** Lets no adaptive step go beyond a time. */
export async function limitSteps(arrays: StepArrays, time: number): Promise<void> {
  const [now, rest] = held(arrays, time)
  const { until, untilRest } = clockNames
  await arrays.single[until]?.write(Float64Array.of(now))
  await arrays.single[untilRest]?.write(Float64Array.of(rest))
}

/** Where steps adapt: sets the time, which differs by rounding from the time reached, and lets steps go on. */
export async function landAt(arrays: StepArrays, time: number): Promise<void> {
  const [now, rest] = held(arrays, time)
  await arrays.setTime(now, rest)
  await limitSteps(arrays, endless)
}

/** A time as two numbers that the device holds. */
function held({ device }: StepArrays, time: number): readonly [number, number] {
  const now = device.info.precision === 'f32' && time < endless ? Math.fround(time) : time
  return [now, time - now]
}
