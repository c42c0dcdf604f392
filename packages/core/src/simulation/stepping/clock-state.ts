/**
 * How long the steps of a simulation are, and what time it is in them: as plain data.
 *
 * @module
 */
/** When it was what time, as a state has it. */
export interface ClockState {
  /** Two numbers whose sum is the time after `steps` steps. */
  readonly time: readonly [number, number]
  readonly steps: number
  /** The length of the steps since then. Where steps adapt, that of the latest; 0 before the first. */
  readonly dt: number
}

/** What the clock of a simulation says after some steps of one length. It is the same clock if that is their length anyway. */
export function clockAt(clock: ClockState, steps: number): ClockState {
  const [now, lost] = clock.time
  return { ...clock, time: [now + (steps - clock.steps) * clock.dt, lost], steps }
}
