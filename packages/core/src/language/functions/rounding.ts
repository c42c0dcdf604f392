/**
 * Whole numbers below, above and nearest.
 *
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

/** Rounds halves to even, as IEEE 754, WGSL and WebAssembly do and `Math.round` does not. */
export function roundHalfEven(x: number): number {
  const below = Math.floor(x)
  const fraction = x - below
  if (fraction !== 0.5) return Math.round(x)
  return below % 2 === 0 ? below : below + 1
}

const rounding = (value: (x: number) => number): NumericFunction =>
  numeric({
    operands: ['x'],
    value,
    derivative: '0',
    domain: 'all',
    range: 'all',
  })

export const floor: NumericFunction = rounding(Math.floor)
export const ceil: NumericFunction = rounding(Math.ceil)
export const round: NumericFunction = rounding(roundHalfEven)
