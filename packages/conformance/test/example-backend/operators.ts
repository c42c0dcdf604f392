/**
 * How JavaScript spells each operation. The backend knows nothing else about expressions.
 *
 * @module
 */
import {
  functions,
  type Infix,
  infixLanguage,
  type Language,
  type NumericName,
  numericNames,
  usualSpellings,
} from '@manybody/core/expression'

/** Names are the user's choice, `var` and `for` among them, so generated code uses none of them directly. */
export const nameOf = (name: string): string => `v_${name}`

/** Functions that JavaScript lacks, or defines differently, such as rounding of halves. They come from the reference. */
const lacking: readonly NumericName[] = numericNames.filter((name) => !(name in Math) || name === 'round')

export const javascript: Language<Infix> = infixLanguage({
  constant: String,
  symbol: nameOf,
  power: (base, exponent) => {
    if (exponent === 0.5) return `Math.sqrt(${base})`
    if (exponent === -0.5) return `(1/Math.sqrt(${base}))`
    return `Math.pow(${base}, ${exponent})`
  },
  call: {
    ...usualSpellings,
    ...Object.fromEntries(
      numericNames.map((name) => [name, lacking.includes(name) ? `library.${name}` : `Math.${name}`]),
    ),
    step: (x) => `(${x} >= 0 ? 1 : 0)`,
    select: (condition, a, b) => `(${condition} ? ${a} : ${b})`,
    equal: '===',
  },
})

export const library: Readonly<Record<string, (...operands: number[]) => number>> = Object.fromEntries(
  lacking.map((name) => [name, functions[name].value]),
)
