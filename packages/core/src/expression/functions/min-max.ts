/**
 * The lesser and the greater of two numbers. Comparisons choose, which are false for NaN: a NaN is never chosen over a
 * number that stands first.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

/** `b` where it is less than `a`, else `a`. */
function least(a: number, b: number): number {
  if (b < a) return b
  return a
}

/** `b` where it is greater than `a`, else `a`. */
function greatest(a: number, b: number): number {
  if (a < b) return b
  return a
}

export const min: NumericFunction = numeric({
  operands: ['a', 'b'],
  value: least,
  derivative: 'select(a < b, da, db)',
  cost: 1,
  domain: 'all',
  range: 'all',
})

export const max: NumericFunction = numeric({
  operands: ['a', 'b'],
  value: greatest,
  derivative: 'select(a < b, db, da)',
  cost: 1,
  domain: 'all',
  range: 'all',
})
