/**
 * Steps of one length. Numbers that follow from the length and the start are parameters of maps, so that another length compiles
 * nothing.
 *
 * @module
 */
import { productOf, sumOf } from '../../../language/canonical.ts'
import { type Expr, symbol, symbolsOf } from '../../../language/nodes.ts'
import { map } from '../../../problem/workloads/particle.ts'
import type { Moment } from '../../forces/at-time.ts'
import { workNames } from '../../forces/work-names.ts'
import type { Clock } from './clock.ts'
import type { ClockState } from './clock-state.ts'
import { angleOf, shifted, withoutTurns } from './exact-time.ts'

/** Points count the steps only if forces read the time. @param told whether they do @param steps how many were taken */
export function fixedClock(began: ClockState, told: boolean, steps: number): Clock {
  const { step } = workNames
  return {
    ofPoints: told ? { [step]: steps - began.steps } : {},
    single: {},
    before: [],
    after: told ? [{ workload: map({ step: `${step} + 1` }), outputs: { step } }] : [],
    stage: (outputs, fraction, parameters) => map(outputs, { ...parameters, h: fraction * began.dt }),
    at: (fraction) => momentOf(began, fraction),
  }
}

function momentOf({ time, dt }: ClockState, fraction: number): Moment {
  const counted = symbol(workNames.step)
  const origin = time[0] + time[1]
  const values = new Map<string, number>()
  const number = (value: number): Expr => {
    const name = workNames.timeNumber(values.size)
    values.set(name, value)
    return symbol(name)
  }
  return {
    linear: (rate, offset) =>
      productOf([number(rate * dt), shifted(counted, fraction + (origin + offset / rate) / dt, number)]),
    angle: (rate) =>
      sumOf([angleOf(counted, rate * dt, number), number(withoutTurns(rate * (origin + fraction * dt)))]),
    numbersIn(expressions) {
      const names = symbolsOf(...expressions)
      return Object.fromEntries([...values].filter(([name]) => names.has(name)))
    },
  }
}
