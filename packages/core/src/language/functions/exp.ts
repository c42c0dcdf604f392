/**
 * The exponential function.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

export const exp: NumericFunction = numeric({
  operands: ['x'],
  value: Math.exp,
  derivative: 'exp(x)*dx',
  domain: 'all',
  range: 'positive',
})
