/**
 * The two parts of an error, random and systematic, and how they propagate. Independent random parts add up as the root of
 * the sum of their squares, as errors that no number is certain to have never do.
 *
 * @module
 */

/** What is known about a number before it has a value. */
export interface NumberFacts {
  /** It cannot be less than 0 on any device. */
  readonly nonnegative: boolean
  /** The random roundings that it depends on, one bit each. */
  readonly roundings: bigint
  /** The slots of the numbers whose squares it is the sum of. */
  readonly squares?: readonly number[]
}

/** What is known about an input; by default that it may be negative, and that its error is the same in all runs of the tape. */
export interface Input {
  readonly nonnegative?: boolean
  /** Names of the random roundings in it. */
  readonly roundings?: readonly string[]
  /** Inputs whose squares it is the sum of. Devices may add them one by one to other terms. */
  readonly squares?: readonly string[]
  /** Whether it is a parameter. The host computes what depends on parameters alone, in float64. */
  readonly perRun?: boolean
}

/** What is known about parameters. */
export const perRun = (names: readonly string[]): Readonly<Record<string, Input>> =>
  Object.fromEntries(names.map((name) => [name, { perRun: true }]))

/** The random roundings of several operands. */
export const union = (operands: readonly NumberFacts[]): bigint =>
  operands.reduce((bits, { roundings }) => bits | roundings, 0n)

export type Join = (a: number, b: number) => number

/** The root of the sum of two squares, neither of which needs to be a number of the format. */
export const quadrature: Join = (a, b) => {
  if (b === 0) return a
  if (a === 0) return b
  const square = a * a + b * b
  if (square > 1e-280 && square < 1e280) return Math.sqrt(square)
  const most = Math.max(a, b)
  return most === Number.POSITIVE_INFINITY ? most : most * Math.sqrt(1 + (Math.min(a, b) / most) ** 2)
}
const together: Join = (a, b) => a + b

/** How random parts combine: those that share a rounding may be off in the same direction. */
export function joinOf(operands: readonly NumberFacts[]): Join {
  let before = 0n
  for (const { roundings } of operands) {
    if (before & roundings) return together
    before |= roundings
  }
  return quadrature
}

/** A product in which 0 times infinity is 0. */
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)

/** Errors up to this share of an operand, and of 1, propagate linearly. */
const small = 2 ** -10

/**
 * How far a device's operand may be from the value of its step, which itself has lost something. That matters only where errors
 * are too large to propagate linearly.
 */
export const reach = (x: number, error: number, lost: number): number =>
  error <= small * Math.min(1, Math.abs(x)) ? error : error + Math.abs(lost)

/** By how much an error grew, if it is small enough to propagate linearly. */
export function linear(moved: number, x: number, error: number): number | undefined {
  if (error === 0) return 0
  return error <= small * Math.min(1, Math.abs(x)) && moved < Number.POSITIVE_INFINITY ? moved / error : undefined
}
