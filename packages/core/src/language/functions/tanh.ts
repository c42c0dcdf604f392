/**
 * The hyperbolic tangent.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

export const tanh: NumericFunction = numeric({
  operands: ['x'],
  value: Math.tanh,
  derivative: 'sech(x)^2*dx',
  domain: 'all',
  range: 'all',
})
