/**
 * The lesser and the greater of two numbers. They choose by a comparison, which is false for NaN: a NaN in second place is
 * never chosen.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

/** `b` if it is less than `a`, otherwise `a`. */
function least(a: number, b: number): number {
  if (b < a) return b
  return a
}

/** `b` if it is greater than `a`, otherwise `a`. */
function greatest(a: number, b: number): number {
  if (a < b) return b
  return a
}

export const min: NumericFunction = numeric({
  operands: ['a', 'b'],
  value: least,
  derivative: 'select(a < b, da, db)',
  domain: 'all',
  range: 'all',
})

export const max: NumericFunction = numeric({
  operands: ['a', 'b'],
  value: greatest,
  derivative: 'select(a < b, db, da)',
  domain: 'all',
  range: 'all',
})
