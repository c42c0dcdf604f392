/**
 * Steps of one length.
 *
 * @module
 */
import { productOf, sumOf } from '../../expression/canonical.ts'
import { constant, symbol } from '../../expression/nodes.ts'
import { map } from '../../workloads/particle.ts'
import { workNames } from '../forces/force-stages.ts'
import type { Clock } from './clock.ts'

/** Points count the steps only if forces read the time. @param told whether they do */
export function fixedClock(dt: number, told: boolean, steps: number): Clock {
  const { step } = workNames
  return {
    ofPoints: told ? { [step]: steps } : {},
    single: {},
    before: [],
    after: told ? [{ workload: map({ step: `${step} + 1` }), outputs: { step } }] : [],
    stage: (outputs, fraction) => map(outputs, { h: fraction * dt }),
    at: (fraction) => productOf([constant(dt), sumOf([symbol(step), constant(fraction)])]),
  }
}
