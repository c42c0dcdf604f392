/**
 * The parts that WGSL and GLSL share: float32 literals, roots, and the library that replaces functions they lack. They differ
 * in how they declare functions and choose between numbers.
 *
 * @module
 */
import { type Infix, infixLanguage, type Spellings } from '../infix.ts'
import type { Language } from '../render.ts'
import { shaderSpellings } from './library.ts'

export interface ShadingDialect {
  /** For messages: `WGSL`. */
  readonly name: string
  /** Its name for the inverse square root. */
  readonly inverseSqrt: string
  /** The functions that it spells differently. */
  readonly call: Partial<Spellings>
}

/** The operator table of a shading language. `symbol` gives the spelling of each symbol. */
export function shadingLanguage(dialect: ShadingDialect, symbol: (name: string) => string): Language<Infix> {
  const constant = (value: number) => shaderLiteral(value, dialect)
  const call = { ...shaderSpellings, ...dialect.call } as Spellings
  return infixLanguage({
    constant,
    symbol,
    power(base, exponent) {
      if (exponent === 0.5) return `sqrt(${base})`
      if (exponent === -0.5) return `${dialect.inverseSqrt}(${base})`
      return `${call.pow}(${base}, ${exponent < 0 ? '-' : ''}${constant(Math.abs(exponent))})`
    },
    call,
  })
}

/** A float32 literal. @throws RangeError beyond the range of float32, which compilers reject or take as infinite */
export function shaderLiteral(value: number, { name }: Pick<ShadingDialect, 'name'>): string {
  if (!Number.isFinite(Math.fround(value)))
    throw new RangeError(`Cannot write ${value} in ${name}: float32 ends at 3.4e38; scale the units of the expression`)
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
