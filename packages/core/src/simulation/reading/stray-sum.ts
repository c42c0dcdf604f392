/**
 * A sum over forces that is not finite, because one of its numbers is not. Callers turn it into an error that says why.
 *
 * @module
 */
import type { ForceQuantity } from './why-stray.ts'

export class StraySum extends Error {
  override readonly name = 'StraySum'
  constructor(
    readonly quantity: Exclude<ForceQuantity, 'force'>,
    readonly value: number,
    /** The first point with a number that is not finite. */
    readonly point: number,
  ) {
    super(`the ${quantity} of point ${point} is ${value}`)
  }
}
