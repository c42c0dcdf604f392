/**
 * How JavaScript spells each operation: the whole of what this backend knows about expressions.
 *
 * @module
 */
import { call, evaluator, type Infix, infixLanguage, type Language, symbol } from '@manybody/core/expression'

/** Names are the user's choice, `var` and `for` among them, so generated code calls none as it is. */
export const nameOf = (name: string): string => `v_${name}`

export const javascript: Language<Infix> = infixLanguage({
  constant: String,
  symbol: nameOf,
  power: (base, exponent) => {
    if (exponent === 0.5) return `Math.sqrt(${base})`
    if (exponent === -0.5) return `(1/Math.sqrt(${base}))`
    return `Math.pow(${base}, ${exponent})`
  },
  call: {
    exp: 'Math.exp',
    log: 'Math.log',
    sin: 'Math.sin',
    cos: 'Math.cos',
    tan: 'Math.tan',
    tanh: 'Math.tanh',
    erf: 'library.erf',
    erfc: 'library.erfc',
    abs: 'Math.abs',
    sign: 'Math.sign',
    floor: 'Math.floor',
    ceil: 'Math.ceil',
    round: 'library.round',
    step: (x) => `(${x} >= 0 ? 1 : 0)`,
    atan2: 'Math.atan2',
    min: 'Math.min',
    max: 'Math.max',
    pow: 'Math.pow',
    select: (condition, a, b) => `(${condition} ? ${a} : ${b})`,
    less: (a, b) => `(${a} < ${b})`,
    lessEqual: (a, b) => `(${a} <= ${b})`,
    equal: (a, b) => `(${a} === ${b})`,
    and: (a, b) => `(${a} && ${b})`,
    or: (a, b) => `(${a} || ${b})`,
    not: (a) => `!${a}`,
  },
})

/** What JavaScript lacks, taken from the reference: error functions, and rounding of halves to even. */
export const library: Readonly<Record<'erf' | 'erfc' | 'round', (x: number) => number>> = {
  erf: fromReference('erf'),
  erfc: fromReference('erfc'),
  round: fromReference('round'),
}

function fromReference(name: 'erf' | 'erfc' | 'round'): (x: number) => number {
  const value = evaluator(call(name, symbol('x')), ['x'])
  return (x) => value(Float64Array.of(x))
}
