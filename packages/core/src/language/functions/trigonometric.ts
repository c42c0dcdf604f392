/**
 * Sine, cosine and tangent, of radians.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

export const sin: NumericFunction = numeric({
  operands: ['x'],
  value: Math.sin,
  derivative: 'cos(x)*dx',
  domain: 'all',
  range: 'all',
})

export const cos: NumericFunction = numeric({
  operands: ['x'],
  value: Math.cos,
  derivative: '-sin(x)*dx',
  domain: 'all',
  range: 'all',
})

export const tan: NumericFunction = numeric({
  operands: ['x'],
  value: Math.tan,
  derivative: '(1 + tan(x)^2)*dx',
  domain: 'some',
  range: 'all',
})
