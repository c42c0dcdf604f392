/**
 * The angle of the vector (x, y), from -pi to pi; zeros count by their signs.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

export const atan2: NumericFunction = numeric({
  operands: ['y', 'x'],
  value: Math.atan2,
  derivative: '(x*dy - y*dx)/(x^2 + y^2)',
  domain: 'all',
  range: 'all',
})
