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
  fitBoxes,
  largestOf,
  nodeBytes,
  nodeCount,
  orderPoints,
  type Points,
  reachOf,
  spreadOf,
  treeBytes,
} from '@manybody/core/backend'
import { walkBytes, walkNumbers } from '../loops/block-loop.ts'
import type { Side } from '../loops/points.ts'
import type { Regions } from './regions.ts'

/** An old order may cost this many times the pairs of a fresh one, before points are put in order again. */
const stale = 1.1

export interface ArrangementOptions {
  readonly regions: Regions
  readonly precision: Precision
  readonly shape: Shape
}

/** The further inputs of a run. */
export interface Arranged {
  readonly parameters: Readonly<Record<string, number>>
  /** Whether there are exclusions, for which the places of sources are looked up by point. */
  readonly exclusions: boolean
  /** The address of an input of a side. */
  readonly input: (side: Side, name: string) => number
}

export class Arrangement {
  readonly #options: ArrangementOptions
  /** For each side, the cost of its order when it was fresh, and the cutoff at that time. */
  readonly #fresh: Partial<Record<Side, { readonly spread: number; readonly cutoff: number }>> = {}
  #arranged: Arranged = { parameters: {}, exclusions: false, input: () => 0 }

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
      targetOrder: target.order,
      targetBlocks: target.blocks,
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
    const points = sides.map((side): Points => ({ position: this.#positions(side), dimension, lengths }))
    const { cutoff = 0 } = parameters
    const reach = reachOf({
      cutoff,
      precision,
      dimension,
      periodic: lengths.length > 0,
      split,
      unit: parameters.lengthUnit ?? 1,
      most: largestOf(...points.map(({ position }) => position)),
    })
    for (const [n, side] of sides.entries()) this.#fit(side, points[n] as Points, { reach, cutoff })
    const view = new DataView(regions.memory.memory.buffer, regions.at('walk'), walkBytes)
    view.setFloat64(walkNumbers.reach2, reach * reach, true)
    for (const [axis, length] of lengths.entries()) {
      view.setFloat64(walkNumbers.lengths + axis * 8, length, true)
      view.setFloat64(walkNumbers.shares + axis * 8, 1 / length, true)
    }
    if (!exclusions) return
    const places = new Uint32Array(regions.memory.memory.buffer, regions.at('sourcePlaces'), shape.sources)
    for (const [place, point] of this.#tree(this.#sourceSide).order.entries()) places[point] = place
  }

  #fit(side: Side, points: Points, { reach, cutoff }: { readonly reach: number; readonly cutoff: number }): void {
    const tree = this.#tree(side)
    const spread = () => {
      fitBoxes(points, tree)
      return spreadOf(tree, points.dimension, reach)
    }
    const fresh = this.#fresh[side]
    if (fresh?.cutoff === cutoff && spread() <= stale * fresh.spread) return
    orderPoints(points, tree)
    // The phases also read points after the last place; any point will do.
    const { regions } = this.#options
    const { order } = tree
    const { order: bytes } = treeBytes(order.length)
    new Uint32Array(regions.memory.memory.buffer, order.byteOffset, bytes / 4).fill(0, order.length)
    this.#fresh[side] = { spread: spread(), cutoff }
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
    const lows = ['positionLowX', 'positionLowY', 'positionLowZ'].slice(0, dimension).map((name) => {
      return regions.memory.numbers(precision, input(side, name), count)
    })
    return Float64Array.from(position, (x, n) => x + (lows[n % dimension]?.[Math.floor(n / dimension)] as number))
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
