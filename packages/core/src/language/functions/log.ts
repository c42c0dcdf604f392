/**
 * The natural logarithm.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

export const log: NumericFunction = numeric({
  operands: ['x'],
  value: Math.log,
  derivative: 'dx/x',
  domain: 'positive',
  range: 'all',
})
