/**
 * Steps whose length is chosen on the device. A map gives how long a step may be for each point; a minimum over all points, within
 * its limits, is the step; a copy for each point is what maps read. The time is added up beside it.
 *
 * Float32 cannot add many short steps to a long time. Therefore the time is two numbers, of which the second is what the first one
 * lost (Kahan's sum). Each of its operations is a stage, because expressions are simplified as if numbers were exact.
 *
 * @module
 */
import { productOf, sumOf } from '../../expression/canonical.ts'
import { constant, symbol } from '../../expression/nodes.ts'
import { pairTerm } from '../../interactions/define.ts'
import { reduce } from '../../workloads/pair.ts'
import { gatherMap, map } from '../../workloads/particle.ts'
import { type AdaptiveRule, limitMap } from '../adaptive-step.ts'
import { type PlannedStage, workNames } from '../forces/force-stages.ts'
import type { Clock } from './clock.ts'

/** Arrays with one number, which the stages of a clock work on. */
export const clockNames = {
  least: 'clockLeast',
  dt: 'clockDt',
  /** The time is the sum of these two. */
  time: 'clockTime',
  rest: 'clockRest',
  further: 'clockFurther',
  next: 'clockNext',
  gained: 'clockGained',
} as const

/** What an adaptive clock shows, as a state has it. */
export interface ClockState {
  /** Two numbers whose sum is the time. */
  readonly time: readonly [number, number]
  /** The length of the latest step; 0 before the first. */
  readonly dt: number
}

const atStart: ClockState = { time: [0, 0], dt: 0 }

const { least, dt, time, rest, further, next, gained } = clockNames

/** @param told whether forces read the time */
export function adaptiveClock(rule: AdaptiveRule, told: boolean, reached: ClockState = atStart): Clock {
  const { shortest, longest } = rule
  const [now, lost] = reached.time
  return {
    ofPoints: {
      ...{ [workNames.limit]: 0, [workNames.dt]: reached.dt, [workNames.zero]: 0 },
      ...(told && { [workNames.time]: now }),
    },
    single: { [least]: 0, [dt]: reached.dt, [time]: now, [rest]: lost, [further]: 0, [next]: 0, [gained]: 0 },
    before: [
      { workload: limitMap(rule), outputs: { limit: workNames.limit } },
      { workload: reduce('min', limitOf), outputs: { value: least }, clock: 'least' },
      tick({ [dt]: `max(shortest, min(longest, ${least}))` }, { shortest, longest }),
      spread(dt, workNames.dt),
    ],
    after: [
      tick({ [further]: `${dt} + ${rest}` }),
      tick({ [next]: `${time} + ${further}` }),
      tick({ [gained]: `${next} - ${time}` }),
      tick({ [rest]: `${further} - ${gained}`, [time]: next }),
      ...(told ? [spread(time, workNames.time)] : []),
    ],
    stage: (outputs, fraction) => map(withStep(outputs, `; h = ${fraction}*${workNames.dt}`)),
    at: (fraction) => sumOf([symbol(workNames.time), productOf([constant(fraction), symbol(workNames.dt)])]),
  }
}

const limitOf = pairTerm(`${workNames.limit}_j`, { name: 'the step that a point allows' })()

/** A map over the single numbers. */
function tick(
  outputs: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, number>> = {},
): PlannedStage {
  const places = Object.fromEntries(Object.keys(outputs).map((name) => [name, name]))
  return { workload: map(outputs, parameters), outputs: places, clock: 'tick' }
}

/** Copies a single number to all points. */
function spread(from: string, to: string): PlannedStage {
  const workload = gatherMap({ copy: 'single' }, { single: { of: from, at: workNames.zero } })
  return { workload, outputs: { copy: to }, clock: 'spread' }
}

/** Every expression with a definition behind it. */
function withStep<T extends Readonly<Record<string, string | readonly string[]>>>(outputs: T, definition: string): T {
  const entries = Object.entries(outputs).map(([name, text]) => [
    name,
    typeof text === 'string' ? text + definition : text.map((one) => one + definition),
  ])
  return Object.fromEntries(entries)
}
