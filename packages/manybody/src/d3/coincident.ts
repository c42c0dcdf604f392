/**
 * Nodes at the same place, which have no direction in which to push each other. Like d3-force, this moves one of two such nodes by a
 * tiny random step.
 *
 * @module
 */

/** Finds the nodes that share a place. */
export class Coincident {
  readonly #heads: Int32Array
  readonly #next: Int32Array
  readonly #bits: number

  constructor(readonly count: number) {
    this.#bits = Math.max(1, Math.ceil(Math.log2(2 * Math.max(1, count))))
    this.#heads = new Int32Array(2 ** this.#bits)
    this.#next = new Int32Array(count)
  }

  /** Calls `meet` with each ordered pair of nodes at the same place. */
  each(position: Float32Array, meet: (node: number, other: number) => void): void {
    const [heads, next, shift] = [this.#heads, this.#next, 32 - this.#bits]
    const words = new Int32Array(position.buffer, position.byteOffset, position.length)
    heads.fill(-1)
    for (let node = 0; node < this.count; node++) {
      // Adding 0 makes 0 of -0.
      const [x, y] = [(position[2 * node] as number) + 0, (position[2 * node + 1] as number) + 0]
      const [a, b] = [x === 0 ? 0 : (words[2 * node] as number), y === 0 ? 0 : (words[2 * node + 1] as number)]
      const slot = Math.imul(Math.imul(a, 0x9e3779b1) ^ Math.imul(b ^ (a >>> 15), 0x85ebca6b), 0xc2b2ae35) >>> shift
      for (let other = heads[slot] as number; other >= 0; other = next[other] as number)
        if (position[2 * other] === x && position[2 * other + 1] === y) {
          meet(node, other)
          meet(other, node)
        }
      next[node] = heads[slot] as number
      heads[slot] = node
    }
  }
}
