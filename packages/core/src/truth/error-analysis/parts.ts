/**
 * The two parts of an error, random and systematic, and how they propagate. Independent random parts add up as the root of
 * the sum of their squares. Largest errors do not: they add up in full.
 *
 * @module
 */

/** Facts about a number before it has a value. */
export interface NumberFacts {
  /** It cannot be less than 0 on any device. */
  readonly nonnegative: boolean
  /** The random roundings that it depends on, one bit each. */
  readonly roundings: bigint
  /** Slots of numbers, if this is the sum of their squares. */
  readonly squares?: readonly number[]
}

/** Facts about an input. By default it may be negative, and its error is the same in all runs of the tape. */
export interface Input {
  readonly nonnegative?: boolean
  /** Names of the random roundings in it. */
  readonly roundings?: readonly string[]
  /** Inputs, if this is the sum of their squares. Devices may add the squares one by one to other terms. */
  readonly squares?: readonly string[]
  /** Whether it is a parameter. The host computes expressions of parameters alone, in float64. */
  readonly perRun?: boolean
}

/** Facts about parameters. */
export const perRun = (names: readonly string[]): Readonly<Record<string, Input>> =>
  Object.fromEntries(names.map((name) => [name, { perRun: true }]))

/** The random roundings of several operands. */
export const union = (operands: readonly NumberFacts[]): bigint =>
  operands.reduce((bits, { roundings }) => bits | roundings, 0n)

export type Join = (a: number, b: number) => number

/** The root of the sum of two squares. Neither square needs to be a number of the format. */
export const quadrature: Join = (a, b) => {
  if (b === 0) return a
  if (a === 0) return b
  const square = a * a + b * b
  if (square > 1e-280 && square < 1e280) return Math.sqrt(square)
  const most = Math.max(a, b)
  return most === Number.POSITIVE_INFINITY ? most : most * Math.sqrt(1 + (Math.min(a, b) / most) ** 2)
}
const together: Join = (a, b) => a + b

/** How random parts combine: parts that share a rounding may be off in the same direction. */
export function joinOf(operands: readonly NumberFacts[]): Join {
  let before = 0n
  for (const { roundings } of operands) {
    if (before & roundings) return together
    before |= roundings
  }
  return quadrature
}

/** A product with the rule that 0 times infinity is 0. */
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)

/** Errors up to this share of an operand, and of 1, propagate linearly. */
const small = 2 ** -10

/**
 * How far a device's operand may be from the value of its step, which itself has a loss. The loss matters only where errors
 * are too large to propagate linearly.
 */
export const reach = (x: number, error: number, lost: number): number =>
  error <= small * Math.min(1, Math.abs(x)) ? error : error + Math.abs(lost)

/** By how much an error grew, if it is small enough to propagate linearly. */
export function linear(moved: number, x: number, error: number): number | undefined {
  if (error === 0) return 0
  return error <= small * Math.min(1, Math.abs(x)) && moved < Number.POSITIVE_INFINITY ? moved / error : undefined
}
