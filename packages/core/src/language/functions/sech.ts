/**
 * The hyperbolic secant, `1/cosh(x)`: its square is the slope of `tanh`, and keeps its digits where `1 - tanh(x)^2` has none.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

export const sech: NumericFunction = numeric({
  operands: ['x'],
  value: (x) => 1 / Math.cosh(x),
  derivative: '-sech(x)*tanh(x)*dx',
  domain: 'all',
  range: 'nonnegative',
})
