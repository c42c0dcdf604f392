/**
 * The length of the steps of a simulation, and the time in them, as plain data.
 *
 * @module
 */
/** The time after a number of steps, in the form of a state. */
export interface ClockState {
  /** Two numbers. Their sum is the time after `steps` steps. */
  readonly time: readonly [number, number]
  readonly steps: number
  /** The length of the steps since then. Where steps adapt, the length of the latest step; 0 before the first. */
  readonly dt: number
}

/** The clock of a simulation after some steps of one length. It is the same clock if that is their length anyway. */
export function clockAt(clock: ClockState, steps: number): ClockState {
  const [now, lost] = clock.time
  return { ...clock, time: [now + (steps - clock.steps) * clock.dt, lost], steps }
}

/** The time that a simulation has reached. */
export function timeOf({ dt }: { readonly dt: unknown }, clock: ClockState, steps: number): number {
  const since = typeof dt === 'number' ? (steps - clock.steps) * clock.dt : 0
  return clock.time[0] + since + clock.time[1]
}
