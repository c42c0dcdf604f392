/**
 * A power with a computed exponent; one with a numeric exponent is a node of the tree.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

export const pow: NumericFunction = numeric({
  operands: ['a', 'n'],
  value: Math.pow,
  derivative: 'n*pow(a, n - 1)*da + pow(a, n)*log(a)*dn',
  domain: 'positive',
  range: 'all',
})
