// Random expressions of some names. They are bounded, so that few results are infinite, and conditions are seldom close.

import { type NumericName, numericNames } from '@manybody/core/expression'
import { sampled } from '../../../packages/conformance/src/functions/arguments.ts'
import type { Dice } from './dice.ts'

type Part = () => string

type Form = (e: Part, c: Part, dice: Dice) => string

/** Functions that are finite and of moderate size everywhere: without jumps, and with jumps that are seldom met. */
const plain: readonly NumericName[] = ['sin', 'cos', 'tanh', 'erf', 'erfc', 'abs']
const stepped: readonly NumericName[] = ['sign', 'step', 'floor', 'ceil', 'round']
const extremes: readonly NumericName[] = ['min', 'max']

/** The other functions, in a form that stays finite; `e` returns an operand. */
const kept = {
  exp: (e) => `exp(-abs(${e()}))`,
  log: (e) => `log(0.3 + abs(${e()}))`,
  tan: (e) => `tan(tanh(${e()}))`,
  atan2: (e) => `atan2(${e()}, 0.5 + abs(${e()}))`,
  pow: (e) => `pow(0.5 + abs(${e()}), min(2, ${e()}))`,
} satisfies Partial<Record<NumericName, Form>>

/** A function without a special form. Its operands oscillate within the ranges for its tests. */
const swinging = (name: NumericName): Form => {
  const within = ([from, to]: readonly [number, number], e: string) =>
    `${(from + to) / 2} + ${(to - from) / 2}*sin(${e})`
  return (e) => `${name}(${sampled[name].ranges.map((range) => within(range, e())).join(', ')})`
}

/** Functions of the language without a jump, in a form that stays finite. */
export const smooth: readonly Form[] = [
  (e) => `(${e()} + ${e()})`,
  (e) => `(${e()} - ${e()})`,
  (e) => `(${e()}*${e()})`,
  (e) => `(${e()}*${e()})`,
  (e) => `(${e()}/(1 + abs(${e()})))`,
  (e) => `(-${e()})`,
  (e, _, dice) => `(${e()})^${dice.pick(['2', '3', '4'])}`,
  (e, _, dice) => `(0.5 + (${e()})^2)^${dice.pick(['-1', '-2', '-6', '0.5', '-0.5', '1.5', '-1.5', '0.25', '1/3'])}`,
  (e) => `sqrt(0.1 + abs(${e()}))`,
  (e) => `inverseSqrt(0.2 + abs(${e()}))`,
  kept.exp,
  kept.log,
  (e, _, dice) => `${dice.pick(plain)}(${e()})`,
  kept.tan,
]

/** Each function of the language; `c` returns a condition. */
const forms: readonly Form[] = [
  ...smooth,
  (e, _, dice) => `${dice.pick(stepped)}(0.0171 + ${e()})`,
  kept.atan2,
  (e, _, dice) => `${dice.pick(extremes)}(${e()}, ${e()})`,
  kept.pow,
  (e, c) => `select(${c()}, ${e()}, ${e()})`,
  (e, c) => `select(${c()}, ${e()}, ${e()})`,
  ...numericNames
    .filter((name) => !(name in kept || [...plain, ...stepped, ...extremes].includes(name)))
    .map((name) => swinging(name)),
]

/** A random expression of some names. */
export function expression(dice: Dice, names: readonly string[], depth: number, of: readonly Form[] = forms): string {
  if (depth === 0 || dice.chance(0.1))
    return dice.chance(0.8) ? dice.pick(names) : dice.pick(['0', '1', '2', dice.uniform(-2, 2).toFixed(3)])
  const operand = () => expression(dice, names, depth - 1, of)
  return dice.pick(of)(operand, () => condition(dice, operand), dice)
}

function condition(dice: Dice, operand: Part): string {
  if (dice.chance(0.2)) return `(${condition(dice, operand)} ${dice.pick(['&&', '||'])} ${condition(dice, operand)})`
  if (dice.chance(0.1)) return `!(${condition(dice, operand)})`
  return `(0.00731 + ${operand()} ${dice.pick(['<', '<=', '>', '>='])} ${operand()})`
}
