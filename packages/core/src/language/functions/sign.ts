/**
 * The size of a number, its sign, and whether it is 0 or more: comparisons with NaN are false.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

/** 1 above 0, -1 below 0, otherwise 0: zeros and NaN. */
const signum = (x: number): number => Number(x > 0) - Number(x < 0)
const unitStep = (x: number): number => (x >= 0 ? 1 : 0)

export const abs: NumericFunction = numeric({
  operands: ['x'],
  value: Math.abs,
  derivative: 'sign(x)*dx',
  domain: 'all',
  range: 'nonnegative',
})

export const sign: NumericFunction = numeric({
  operands: ['x'],
  value: signum,
  derivative: '0',
  domain: 'all',
  range: 'all',
})

/** 1 for `x >= 0`, else 0. */
export const step: NumericFunction = numeric({
  operands: ['x'],
  value: unitStep,
  derivative: '0',
  domain: 'all',
  range: 'nonnegative',
})
