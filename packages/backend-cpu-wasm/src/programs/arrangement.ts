/**
 * The points of a placement, arranged in blocks. Their trees are in its memory. Points are put in order now and then; boxes
 * are fitted to the positions before every run.
 *
 * This happens on the caller's thread, before the phases that read the trees.
 *
 * @module
 */
import type { FloatArray, Precision, Shape } from '@manybody/core'
import {
  type BlockTree,
  blockTree,
  largestOf,
  nodeBytes,
  nodeCount,
  orderPoints,
  reachLine,
  reachOf,
  sizeOf,
  spreadOf,
  surelyWithin,
  treeBytes,
} from '@manybody/core/backend'
import type { Side } from '../loops/points.ts'
import { walkBytes, walkNumbers } from '../loops/walk.ts'
import type { Regions } from './regions.ts'

/** An old order may cost this many times the pairs of a fresh one, before points are put in order again. */
const stale = 1.1

export interface ArrangementOptions {
  readonly regions: Regions
  readonly precision: Precision
  readonly shape: Shape
  /** Whether targets keep what is nearest. */
  readonly keeps: boolean
  /** Fits the boxes of this many nodes of a side to its positions. */
  readonly fit: (side: Side, nodes: number) => void
}

/** The further inputs of a run. */
export interface Arranged {
  readonly parameters: Readonly<Record<string, number>>
  /** Whether there are exclusions, for which the places of sources are looked up by point. */
  readonly exclusions: boolean
  /** The address of an input of a side. */
  readonly input: (side: Side, name: string) => number
  /** The number of pairs that the latest run computed. */
  readonly met: () => number
}

/** The cost of an order when it was fresh, and the cutoff and the reach for which it was computed. */
interface Fresh {
  readonly spread: number
  readonly cutoff: number
  readonly reach: number
}

export class Arrangement {
  readonly #options: ArrangementOptions
  readonly #fresh: Partial<Record<Side, Fresh>> = {}
  /** Number of pairs of the first run with fresh orders; undefined until the next run starts. */
  #met: number | undefined
  #arranged: Arranged = { parameters: {}, exclusions: false, input: () => 0, met: () => 0 }

  constructor(options: ArrangementOptions) {
    this.#options = options
  }

  /** Allocates memory, and returns the addresses that the phases read. */
  bind(arranged: Arranged): Readonly<Record<string, number>> {
    this.#arranged = arranged
    const { regions, shape } = this.#options
    const { exclusions } = arranged
    const walk = regions.reserve('walk', walkBytes)
    const [target, source] = [this.#reserve('target'), this.#reserve(this.#sourceSide)]
    const nodesEnd = source.nodes + nodeCount(shape.sources) * nodeBytes
    return {
      walk,
      targetNodes: target.nodes,
      targetOrder: target.order,
      targetBlocks: target.blocks,
      sourceNodes: source.nodes,
      sourceBlocks: source.blocks,
      sourceOrder: source.order,
      nodes: source.nodes,
      nodesEnd,
      ...(exclusions ? { sourcePlaces: regions.reserve('sourcePlaces', 4 * shape.sources) } : {}),
    }
  }

  /** Names of the regions that the phases read. */
  static readonly regions: readonly string[] = ['walk', 'tree.target', 'tree.source', 'sourcePlaces']

  /** Puts points in order if that is worthwhile, and fits the boxes. */
  update(): void {
    const { regions, precision, shape } = this.#options
    const { parameters, exclusions } = this.#arranged
    const { dimension, split = false } = shape
    const sides = this.#sourceSide === 'target' ? (['target'] as const) : (['target', 'source'] as const)
    const given = ['boxX', 'boxY', 'boxZ'].slice(0, dimension).map((name) => parameters[name])
    const lengths = given.filter((length) => length !== undefined).map((length) => this.#rounded(length))
    const { cutoff = Number.POSITIVE_INFINITY, lengthUnit = 1 } = parameters
    const options = {
      ...{ cutoff, precision, dimension, periodic: lengths.length > 0, split },
      most: Math.max(...sides.map((side) => this.#largest(side))),
    }
    const reach = reachOf({ ...options, unit: lengthUnit })
    const view = new DataView(regions.memory.memory.buffer, regions.at('walk'), walkBytes)
    const write = (name: 'reach2' | 'slope' | 'start' | 'within2', value: number) =>
      view.setFloat64(walkNumbers[name], value, true)
    write('reach2', reach * reach)
    // What targets keep is in the unit of the caller, and may be rounded in that, too.
    const { slope, start } = reachLine({ ...options, unit: Math.max(1, lengthUnit) })
    write('slope', slope)
    write('start', start)
    const within = surelyWithin({ ...options, unit: lengthUnit })
    write('within2', within >= 0 ? within * within : -1)
    for (const [axis, length] of lengths.entries()) {
      view.setFloat64(walkNumbers.lengths + axis * 8, length, true)
      view.setFloat64(walkNumbers.shares + axis * 8, 1 / length, true)
    }
    this.#outgrown()
    for (const side of sides) this.#fit(side, lengths, { reach, cutoff })
    if (!exclusions) return
    const places = new Uint32Array(regions.memory.memory.buffer, regions.at('sourcePlaces'), shape.sources)
    for (const [place, point] of this.#tree(this.#sourceSide).order.entries()) places[point] = place
  }

  /** Forgets the orders if the latest run computed many more pairs than their first run. */
  #outgrown(): void {
    if (!this.#options.keeps || Object.keys(this.#fresh).length === 0) return
    const met = this.#arranged.met()
    this.#met ??= met
    if (met > stale * this.#met) for (const side of ['target', 'source'] as const) delete this.#fresh[side]
  }

  #fit(
    side: Side,
    lengths: readonly number[],
    { reach, cutoff }: { readonly reach: number; readonly cutoff: number },
  ): void {
    const tree = this.#tree(side)
    const fresh = this.#fresh[side]
    const { dimension } = this.#options.shape
    const fit = () => this.#options.fit(side, nodeCount(this.#count(side)))
    if (fresh?.cutoff === cutoff) {
      fit()
      if (spreadOf(tree, dimension, fresh.reach) <= stale * fresh.spread) return
    }
    orderPoints({ position: this.#positions(side), dimension, lengths }, tree)
    // The phases also read points after the last place. A copy of the last point does not make a walk longer.
    const { regions } = this.#options
    const { order } = tree
    const { order: bytes } = treeBytes(order.length)
    new Uint32Array(regions.memory.memory.buffer, order.byteOffset, bytes / 4).fill(order.at(-1) ?? 0, order.length)
    fit()
    // What is nearest is about as far as a block is large.
    const used = this.#options.keeps ? Math.min(reach, sizeOf(tree, dimension)) : reach
    this.#fresh[side] = { spread: spreadOf(tree, dimension, used), cutoff, reach: used }
    this.#met = undefined
  }

  /** The side whose tree has the sources. */
  get #sourceSide(): Side {
    return this.#options.shape.sameSet ? 'target' : 'source'
  }

  /** The length of a box as the loop has it, in its precision. */
  #rounded(length: number): number {
    const { precision, shape } = this.#options
    return precision === 'f32' && !shape.split ? Math.fround(length) : length
  }

  #count(side: Side): number {
    const { targets, sources } = this.#options.shape
    return side === 'target' ? targets : sources
  }

  /** The coordinates of a side; split coordinates have both halves added. */
  #positions(side: Side): FloatArray {
    const { regions, precision, shape } = this.#options
    const { input } = this.#arranged
    const { dimension, split } = shape
    const count = this.#count(side)
    const position = regions.memory.numbers(precision, input(side, 'position'), count * dimension)
    if (!split) return position
    const lows = this.#lows(side)
    return Float64Array.from(position, (x, n) => x + (lows[n % dimension]?.[Math.floor(n / dimension)] as number))
  }

  #lows(side: Side): readonly FloatArray[] {
    const { regions, precision, shape } = this.#options
    const names = shape.split ? ['positionLowX', 'positionLowY', 'positionLowZ'].slice(0, shape.dimension) : []
    const at = (name: string) => this.#arranged.input(side, name)
    return names.map((name) => regions.memory.numbers(precision, at(name), this.#count(side)))
  }

  /** No coordinate of a side is larger. */
  #largest(side: Side): number {
    const { regions, precision, shape } = this.#options
    const count = this.#count(side) * shape.dimension
    const high = regions.memory.numbers(precision, this.#arranged.input(side, 'position'), count)
    return largestOf(high) + largestOf(...this.#lows(side))
  }

  #reserve(side: Side): { readonly nodes: number; readonly blocks: number; readonly order: number } {
    const { nodes, blocks, order } = treeBytes(this.#count(side))
    const at = this.#options.regions.reserve(`tree.${side}`, nodes + blocks + order)
    return { nodes: at, blocks: at + nodes, order: at + nodes + blocks }
  }

  #tree(side: Side): BlockTree {
    const { regions } = this.#options
    return blockTree(this.#count(side), regions.memory.memory.buffer, regions.at(`tree.${side}`))
  }
}
