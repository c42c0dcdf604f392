/**
 * Puts points in order: halves the longest side of the box around the points recursively, and moves each cut to the nearest
 * whole block. Blocks are then full and compact, also in clustered sets. Equal points are halved by their numbers.
 *
 * The order depends on the coordinates and the numbers of the points alone: where coordinates are equal, lower numbers come
 * first, and so they do within a block. A device may thus start from any earlier order and divide the work among threads.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import {
  type BlockTree,
  blockCount,
  blockPoints,
  firstAt,
  lastAt,
  leastBlocks,
  linkStride,
  skipAt,
} from './block-tree.ts'

/** Points in space. */
export interface Points {
  /** Coordinates, point by point. */
  readonly position: FloatArray
  readonly dimension: number
  /** Lengths of a periodic box; 0 or none along an axis that does not repeat. */
  readonly lengths: readonly number[]
}

/** Puts the points in order and links the nodes. It does not fit the boxes. */
export function orderPoints(points: Points, { order, links }: BlockTree): void {
  const count = order.length
  for (let place = 0; place < count; place++) order[place] = place
  const parted = new Parted(points, order)
  const waiting: (readonly [first: number, last: number, node: number])[] = count > 0 ? [[0, count, 0]] : []
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [first, last, node] = next
    const blocks = blockCount(last - first)
    const at = node * linkStride
    links[at + firstAt] = first
    links[at + lastAt] = last
    links[at + skipAt] = node + 2 * blocks - 1
    if (blocks === 1) {
      order.subarray(first, last).sort()
      continue
    }
    const least = leastBlocks(blocks)
    const left = parted.halve(first, last, blockPoints * least, blockPoints * (blocks - least))
    waiting.push([first + left, last, node + 2 * (left / blockPoints)], [first, first + left, node + 1])
  }
}

/** Coordinates that move together with the points of an order. */
class Parted {
  readonly #x: Float64Array
  readonly #order: Uint32Array
  readonly #dimension: number

  constructor({ position, dimension, lengths }: Points, order: Uint32Array) {
    this.#order = order
    this.#dimension = dimension
    // Coordinates that are not finite have no right place, so any will do.
    this.#x = Float64Array.from(position, (x, n) => {
      const length = lengths[n % dimension]
      const inside = length ? x - length * Math.floor(x * (1 / length)) : x
      return Number.isFinite(inside) ? inside : 0
    })
  }

  /** Cuts places in two. Returns the number on the first side: whole blocks, between `least` and `most` of them. */
  halve(first: number, last: number, least: number, most: number): number {
    const { axis, middle, longest } = this.#longest(first, last)
    const below = this.#below(first, last, axis, middle)
    const blocks = longest > 0 ? Math.round((below - first) / blockPoints) : blockCount(last - first) >> 1
    const whole = blockPoints * blocks
    const left = Math.max(least, Math.min(most, whole))
    const cut = first + left
    if (cut > below) this.#select(below, last - 1, cut, axis)
    if (cut < below) this.#select(first, below - 1, cut, axis)
    return left
  }

  #longest(first: number, last: number): { readonly [Name in 'axis' | 'middle' | 'longest']: number } {
    const x = this.#x
    const dimension = this.#dimension
    let [axis, middle, longest] = [0, 0, -1]
    for (let k = 0; k < dimension; k++) {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      for (let n = first * dimension + k; n < last * dimension; n += dimension) {
        const v = x[n] as number
        if (v < low) low = v
        if (v > high) high = v
      }
      if (high - low > longest) [axis, middle, longest] = [k, low + (high - low) / 2, high - low]
    }
    return { axis, middle, longest }
  }

  /** Puts the places with coordinates below a number first, and returns where the others start. */
  #below(first: number, last: number, axis: number, number: number): number {
    const [x, dimension] = [this.#x, this.#dimension]
    let [i, j] = [first, last - 1]
    for (;;) {
      while (i <= j && (x[i * dimension + axis] as number) < number) i++
      while (i <= j && (x[j * dimension + axis] as number) >= number) j--
      if (i >= j) return i
      this.#swap(i, j)
    }
  }

  /** Orders places `low` to `high` so that no point before `place` belongs after one behind it, by Hoare's selection. */
  #select(low: number, high: number, place: number, axis: number): void {
    const coordinate = (at: number) => this.#x[at * this.#dimension + axis] as number
    const point = (at: number) => this.#order[at] as number
    let [from, to] = [low, high]
    while (from < to) {
      const middle = (from + to) >>> 1
      const [x, pivot] = [coordinate(middle), point(middle)]
      let [i, j] = [from, to]
      while (i <= j) {
        while (coordinate(i) < x || (coordinate(i) === x && point(i) < pivot)) i++
        while (coordinate(j) > x || (coordinate(j) === x && point(j) > pivot)) j--
        if (i > j) break
        this.#swap(i, j)
        i++
        j--
      }
      if (place <= j) to = j
      else if (place >= i) from = i
      else return
    }
  }

  #swap(a: number, b: number): void {
    const [x, order, dimension] = [this.#x, this.#order, this.#dimension]
    const point = order[a] as number
    order[a] = order[b] as number
    order[b] = point
    for (let k = 0; k < dimension; k++) {
      const v = x[a * dimension + k] as number
      x[a * dimension + k] = x[b * dimension + k] as number
      x[b * dimension + k] = v
    }
  }
}
