/**
 * The time of forces in steps that the host computes: points have it as two numbers, which the host writes.
 *
 * @module
 */
import { productOf, sumOf } from '../../language/canonical.ts'
import { constant, symbol } from '../../language/nodes.ts'
import { map } from '../../problem/workloads/particle.ts'
import type { Moment } from '../forces/at-time.ts'
import { workNames } from '../forces/work-names.ts'
import type { Clock } from '../stepping/clocks/clock.ts'

/** @param told whether forces read the time */
export function radauClock([time, rest]: readonly [number, number], told: boolean): Clock {
  return {
    ofPoints: told ? { [workNames.time]: time, [workNames.rest]: rest } : {},
    ...{ single: {}, before: [], after: [] },
    stage: (outputs, _, parameters) => map(outputs, parameters),
    at: () => now,
  }
}

/** Float64 needs no more care. */
const now: Moment = {
  linear: (rate, offset) => sumOf([productOf([constant(rate), sum]), constant(offset)]),
  angle: (rate) => productOf([constant(rate), sum]),
  numbersIn: () => ({}),
}

const sum = sumOf([symbol(workNames.time), symbol(workNames.rest)])
