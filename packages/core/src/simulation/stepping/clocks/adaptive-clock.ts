/**
 * Steps with a length that the device chooses. A map gives how long a step may be for each point. The minimum over all points, within its
 * limits, is the step. Maps read a copy of it for each point. The time is added up beside it.
 *
 * Float32 cannot add many short steps to a long time. Therefore the time is two numbers, and the second holds the loss of the first
 * (Kahan's sum). Each of its operations is a stage, because expressions are simplified as if numbers were exact.
 *
 * @module
 */
import { productOf, sumOf } from '../../../language/canonical.ts'
import { constant, symbol } from '../../../language/nodes.ts'
import { pairTerm } from '../../../problem/interactions/define.ts'
import type { Interaction } from '../../../problem/interactions/interaction.ts'
import { reduce } from '../../../problem/workloads/pair.ts'
import { map } from '../../../problem/workloads/particle.ts'
import { type AdaptiveRule, limitMap } from '../../adaptive-step.ts'
import type { Encounters } from '../../encounters.ts'
import { componentStages } from '../../forces/force-stages.ts'
import type { PlannedStage } from '../../forces/planned-stage.ts'
import { workNames } from '../../forces/work-names.ts'
import type { Clock } from './clock.ts'
import type { ClockState } from './clock-state.ts'
import { angleOf, shifted } from './exact-time.ts'
import { spread, tick } from './single-numbers.ts'

/** Arrays with one number, which the stages of a clock work on. */
export const clockNames = {
  least: 'clockLeast',
  leastOfPairs: 'clockLeastOfPairs',
  dt: 'clockDt',
  /** The time is the sum of these two. */
  time: 'clockTime',
  rest: 'clockRest',
  further: 'clockFurther',
  next: 'clockNext',
  gained: 'clockGained',
  /** No step goes beyond the sum of these two. */
  until: 'clockUntil',
  untilRest: 'clockUntilRest',
} as const

const { least, leastOfPairs, dt, time, rest, further, next, gained, until, untilRest } = clockNames

/** Float32 holds it. */
export const endless = 3e38

/** @param told whether forces read the time @param held a number as the device holds it @param pairs undefined without a rule for pairs */
export function adaptiveClock(
  rule: AdaptiveRule,
  told: boolean,
  reached: ClockState,
  held: (x: number) => number,
  pairs: Encounters | undefined,
): Clock {
  const { shortest, longest } = rule
  const all = pairs ? `min(${least}, ${leastOfPairs})` : least
  const now = held(reached.time[0])
  const lost = reached.time[1] + (reached.time[0] - now)
  return {
    ofPoints: {
      ...(pairs && { [workNames.limitOfPairs]: 0 }),
      ...{ [workNames.mobile]: 1, [workNames.limit]: 0, [workNames.dt]: reached.dt, [workNames.zero]: 0 },
      ...(told && { [workNames.time]: now, [workNames.rest]: lost }),
    },
    single: {
      ...{ [least]: 0, [dt]: reached.dt, [time]: now, [rest]: lost, [further]: 0, [next]: 0, [gained]: 0 },
      ...{ [until]: endless, [untilRest]: 0 },
      ...(pairs && { [leastOfPairs]: 0 }),
    },
    before: [
      { workload: limitMap(rule), outputs: { limit: workNames.limit } },
      { workload: reduce('min', limitOf(workNames.limit)), outputs: { value: least }, clock: 'least' },
      ...(pairs ? pairStages(pairs) : []),
      // The maximum that changes nothing keeps the small parts of both times together.
      tick(
        { [dt]: `min(max(shortest, min(longest, ${all})), max(0, ${until} - ${time}) + (${untilRest} - ${rest}))` },
        { shortest, longest },
      ),
      spread({ [workNames.dt]: dt }),
    ],
    after: [
      tick({ [further]: `${dt} + ${rest}` }),
      tick({ [next]: `${time} + ${further}` }),
      tick({ [gained]: `${next} - ${time}` }),
      tick({ [rest]: `${further} - ${gained}`, [time]: next }),
      ...(told ? [spread({ [workNames.time]: time, [workNames.rest]: rest })] : []),
    ],
    stage: (outputs, fraction, parameters) => map(withStep(outputs, `; h = ${fraction}*${workNames.dt}`), parameters),
    at(fraction) {
      const later = sumOf([symbol(workNames.rest), productOf([constant(fraction), symbol(workNames.dt)])])
      const timed = symbol(workNames.time)
      return {
        linear: (rate, offset) => productOf([constant(rate), sumOf([shifted(timed, offset / rate, constant), later])]),
        angle: (rate) => sumOf([angleOf(timed, rate, constant), productOf([constant(rate), later])]),
        numbersIn: () => ({}),
      }
    },
  }
}

function pairStages({ workload, components }: Encounters): readonly PlannedStage[] {
  return [
    ...componentStages(components),
    { workload, outputs: { value: workNames.limitOfPairs }, encounters: true },
    { workload: reduce('min', limitOf(workNames.limitOfPairs)), outputs: { value: leastOfPairs }, clock: 'least' },
  ]
}

/** A point counts if it moves, and a pair for its points that move: two fixed points never meet. */
const limitOf = (name: string): Interaction =>
  pairTerm(`select(0 < ${workNames.mobile}_j, ${name}_j, ${endless})`, { name: 'the step that a point allows' })()

/** Every expression with a definition behind it. */
function withStep<T extends Readonly<Record<string, string | readonly string[]>>>(outputs: T, definition: string): T {
  const entries = Object.entries(outputs).map(([name, text]) => [
    name,
    typeof text === 'string' ? text + definition : text.map((one) => one + definition),
  ])
  return Object.fromEntries(entries)
}
