// Random choices.

import { numbers } from '../numbers.ts'

/** Random choices of one seed, in order. */
export class Dice {
  readonly #values: Float32Array
  #next = 0

  constructor(seed: number) {
    this.#values = numbers(10_000, seed)
  }

  uniform(from: number, to: number): number {
    this.#next = (this.#next + 1) % this.#values.length
    return from + (to - from) * (this.#values[this.#next] as number)
  }

  whole(from: number, to: number): number {
    return Math.min(to, Math.floor(this.uniform(from, to + 1)))
  }

  chance(probability: number): boolean {
    return this.uniform(0, 1) < probability
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)] as T
  }

  list<T>(length: number, make: (n: number) => T): T[] {
    return Array.from({ length }, (_, n) => make(n))
  }

  array(length: number, from: number, to: number): Float64Array {
    // With more points, some would often coincide.
    if (length > 1000) return Float64Array.from(numbers(length, this.whole(1, 1e6)), (x) => from + (to - from) * x)
    return Float64Array.from({ length }, () => this.uniform(from, to))
  }
}
