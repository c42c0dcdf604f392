/**
 * The time in expressions of points. A clock gives `rate*time + offset`, not the time itself. Float32 has too few digits to multiply a late
 * time and then take whole turns off, or to subtract a late time from another.
 *
 * @module
 */
import { callOf, productOf, sumOf } from '../../language/canonical.ts'
import { constant, dependsOn, type Expr, splitCoefficient } from '../../language/nodes.ts'
import { rewrite } from '../../language/simplify.ts'
import { time } from './external-force.ts'

/** A time of evaluation, for expressions of points. */
export interface Moment {
  /** `rate*time + offset`, with the digits of the device, however near 0 it is. */
  linear(rate: number, offset: number): Expr
  /** An angle that differs from `rate*time` by whole turns, and is at most a few turns. */
  angle(rate: number): Expr
  /** The numbers of symbols that stand in these expressions because of it. */
  numbersIn(expressions: readonly Expr[]): Readonly<Record<string, number>>
}

/** A time that is known in float64. */
export const momentAt = (now: number): Moment => ({
  linear: (rate, offset) => constant(rate * now + offset),
  angle: (rate) => constant(rate * now),
  numbersIn: () => ({}),
})

/** The time 0, where only the names in an expression matter. */
export const atZero: Moment = momentAt(0)

const periodic: readonly string[] = ['sin', 'cos', 'tan']

const turn = 2 * Math.PI

/** A canonical expression with the time of a moment. */
export function atTime(e: Expr, moment: Moment): Expr {
  return rewrite(e, {
    symbol: (s) => (s.name === time ? moment.linear(1, 0) : s),
    sum(s, again) {
      const { rate, offset, others } = parted(s)
      if (rate === 0) return sumOf(s.terms.map(again))
      return sumOf([...others.map(again), moment.linear(rate, offset)])
    },
    call(c, again) {
      const [argument] = c.args
      const { rate, offset, others } = periodic.includes(c.name) && argument ? partedAngle(argument) : none
      if (rate === 0) return callOf(c.name, c.args.map(again))
      return callOf(c.name, [sumOf([...others.map(again), constant(offset % turn), moment.angle(rate)])])
    },
  })
}

/** A sum as `rate*time + offset` and its other terms. */
interface Parted {
  readonly rate: number
  readonly offset: number
  readonly others: readonly Expr[]
}

const none: Parted = { rate: 0, offset: 0, others: [] }

function parted(e: Expr): Parted {
  let [rate, offset] = [0, 0]
  const others: Expr[] = []
  for (const term of e.kind === 'sum' ? e.terms : [e]) {
    const [coefficient, rest] = splitCoefficient(term)
    if (term.kind === 'constant') offset += term.value
    else if (rest.kind === 'symbol' && rest.name === time) rate += coefficient
    else others.push(term)
  }
  return { rate, offset, others }
}

/** An angle. A number times a sum, such as `omega*(time - start)`, is multiplied out. */
function partedAngle(e: Expr): Parted {
  const outer = parted(e)
  let { rate, offset } = outer
  const others: Expr[] = []
  for (const term of outer.others) {
    const [scale, rest] = splitCoefficient(term)
    if (rest.kind !== 'sum' || !dependsOn(rest, time)) {
      others.push(term)
      continue
    }
    const inner = partedAngle(rest)
    rate += scale * inner.rate
    offset += scale * inner.offset
    others.push(...inner.others.map((other) => productOf([constant(scale), other])))
  }
  return { rate, offset, others }
}
