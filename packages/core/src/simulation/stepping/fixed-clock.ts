/**
 * Steps of one length.
 *
 * @module
 */
import { productOf, sumOf } from '../../language/canonical.ts'
import { constant, symbol } from '../../language/nodes.ts'
import { map } from '../../problem/workloads/particle.ts'
import { workNames } from '../forces/force-stages.ts'
import type { Clock, ClockState } from './clock.ts'
import { angleOf, shifted, withoutTurns } from './exact-time.ts'

/** Points count the steps only if forces read the time. @param told whether they do @param steps how many were taken */
export function fixedClock({ time, steps: from, dt }: ClockState, told: boolean, steps: number): Clock {
  const { step } = workNames
  const counted = symbol(step)
  const origin = time[0] + time[1]
  return {
    ofPoints: told ? { [step]: steps - from } : {},
    single: {},
    before: [],
    after: told ? [{ workload: map({ step: `${step} + 1` }), outputs: { step } }] : [],
    stage: (outputs, fraction) => map(outputs, { h: fraction * dt }),
    at: (fraction) => ({
      linear: (rate, offset) =>
        productOf([constant(rate * dt), shifted(counted, fraction + (origin + offset / rate) / dt)]),
      angle: (rate) => sumOf([angleOf(counted, rate * dt), constant(withoutTurns(rate * (origin + fraction * dt)))]),
    }),
  }
}
