/**
 * The points of a placement, arranged in blocks. Each run puts them in order and fits the boxes, in phases of the module that
 * start from the order before. The result depends on the positions alone.
 *
 * This is the part of the host: the memory, and the numbers that walks read.
 *
 * @module
 */
import type { Precision, Shape } from '@manybody/core'
import {
  nodeBytes,
  nodeCount,
  nodeLinks,
  type ReachOptions,
  reachLine,
  reachOf,
  surelyWithin,
  treeBytes,
} from '@manybody/core/near'
import type { CoordinateBytes, Side } from '../../design/design.ts'
import { cutLevels, orderingBytes, spaceBytes, spaceNumbers, taskBytes } from '../../design/order-layout.ts'
import { walkBytes, walkNumbers } from '../../design/walk-layout.ts'
import type { Regions } from './regions.ts'

export interface ArrangementOptions {
  readonly regions: Regions
  readonly precision: Precision
  readonly shape: Shape
  /** Bytes of a coordinate in the records of points. */
  readonly coordinateBytes: CoordinateBytes
  /** Whether walks look up the boxes of blocks. */
  readonly boxesOfBlocks: boolean
  /** Most targets in a part of the tree that one unit of the phase `pairs` meets as a whole. */
  readonly unitTargets: number
}

export class Arrangement {
  readonly #options: ArrangementOptions
  readonly #sides: readonly Side[]
  #parameters: Readonly<Record<string, number>> = {}
  /** Where the list of each target starts. */
  #offsets: Uint32Array | undefined
  /** Whether orders are complete, so that the next run can start from them. A run that was aborted leaves parts. */
  #complete = false

  constructor(options: ArrangementOptions) {
    this.#options = options
    this.#sides = options.shape.sameSet ? ['target'] : ['target', 'source']
  }

  /** Allocates memory, and returns the addresses that the phases read. */
  bind(
    parameters: Readonly<Record<string, number>>,
    { exclusions, offsets }: { readonly exclusions: boolean; readonly offsets: Uint32Array | undefined },
  ): Readonly<Record<string, number>> {
    this.#parameters = parameters
    this.#offsets = offsets
    const { regions, shape, coordinateBytes, boxesOfBlocks } = this.#options
    const entries: Record<string, number> = {
      walk: regions.reserve('walk', walkBytes),
      space: regions.reserve('space', spaceBytes),
    }
    for (const side of this.#sides) {
      const points = this.#count(side)
      const { nodes, blocks, order } = treeBytes(points)
      const { records, tasks, most } = orderingBytes(points, coordinateBytes)
      entries[`${side}Nodes`] = regions.reserve(`nodes.${side}`, nodes)
      if (boxesOfBlocks) entries[`${side}Blocks`] = regions.reserve(`blocks.${side}`, blocks)
      entries[`${side}Order`] = regions.reserve(`order.${side}`, order)
      entries[`${side}Records`] = regions.reserve(`records.${side}`, records)
      const first = regions.reserve(`tasks.${side}`, tasks)
      entries[`${side}Tasks`] = first
      entries[`${side}LastTasks`] = first + (2 ** cutLevels(points) - 1) * taskBytes
      entries[`${side}Most`] = regions.reserve(`most.${side}`, most)
    }
    // One set has one tree.
    const source = this.#sides.at(-1)
    const nodes = entries[`${source}Nodes`] ?? 0
    entries.sourceOrder = entries[`${source}Order`] ?? 0
    entries.sourceBlocks = entries[`${source}Blocks`] ?? 0
    entries.nodes = nodes
    entries.nodesEnd = nodes + nodeCount(shape.sources) * nodeBytes
    entries.unitStarts = regions.reserve('unitStarts', 4 * (this.units + 1))
    if (offsets) entries.starts = regions.reserve('starts', 4 * offsets.length)
    if (exclusions) entries.sourcePlaces = regions.reserve('sourcePlaces', 4 * shape.sources)
    return entries
  }

  /** Names of the regions that the phase `pairs` reads. */
  static readonly regions: readonly string[] = [
    ...['walk', 'unitStarts', 'sourcePlaces', 'starts'],
    ...['nodes', 'blocks', 'order'].flatMap((part) => [`${part}.target`, `${part}.source`]),
  ]

  /** Prepares the memory for the phases that put points in order. */
  begin(): void {
    for (const side of this.#sides) {
      const points = this.#count(side)
      this.#words(`tasks.${side}`, 3).set([0, points, 0])
      if (this.#complete) continue
      const order = this.#order(side)
      for (let place = 0; place < points; place++) order[place] = place
    }
    this.#complete = false
    this.#writeLengths(this.#numbers('space', spaceBytes), spaceNumbers)
  }

  /** Completes what the phase `pairs` reads. Pairs may come closer by the skin before points are put in order again. */
  finish(skin = 0): void {
    const { precision, shape } = this.#options
    const { dimension, split = false } = shape
    let most = 0
    for (const side of this.#sides) {
      most = Math.max(most, this.#largest(side))
      // The phases also read points after the last place. A copy of the last point does not make a walk longer.
      const [order, points] = [this.#order(side), this.#count(side)]
      order.fill(order[points - 1] ?? 0, points)
    }
    this.#divide()
    if (this.#offsets) this.#orderStarts(this.#offsets)
    const lengths = this.#lengths
    const { cutoff = Number.POSITIVE_INFINITY, lengthUnit = 1 } = this.#parameters
    // Variants of it replace names only, as V8 makes a lasting hidden class for each object that a spread and new names make.
    const options: Required<ReachOptions> = {
      cutoff: cutoff + skin,
      precision,
      boxes: 'f64',
      dimension,
      periodic: lengths.length > 0,
      split,
      unit: lengthUnit,
      most: Math.max(most, ...lengths) + skin,
    }
    const reach = reachOf(options)
    // What targets keep is in the unit of the caller, and may be rounded in that, too.
    const unit = Math.max(1, lengthUnit)
    const lines = (['f64', precision] as const).map((boxes) => reachLine({ ...options, boxes, unit }))
    const within = surelyWithin(options)
    const walk = this.#numbers('walk', walkBytes)
    this.#writeLengths(walk, walkNumbers)
    walk.setFloat64(walkNumbers.reach2, reach * reach, true)
    // Lists that last compare rounded targets with rounded sources.
    const filter = Math.max(reach, reachOf({ ...options, boxes: precision }))
    walk.setFloat64(walkNumbers.filter, skin > 0 ? 2 * filter - reach : filter, true)
    walk.setFloat64(walkNumbers.skin, skin, true)
    walk.setFloat64(walkNumbers.slope, Math.max(...lines.map(({ slope }) => slope)), true)
    walk.setFloat64(walkNumbers.start, Math.max(...lines.map(({ start }) => start)), true)
    walk.setFloat64(walkNumbers.within2, within >= 0 ? within * within : -1, true)
    this.#complete = true
  }

  /** The places of the targets of some units. */
  placesOf(first: number, last: number): readonly [from: number, to: number] {
    const starts = this.#words('unitStarts', this.units + 1)
    return [starts[first] as number, starts[last] as number]
  }

  /** Number of units of the phase `pairs`. */
  get units(): number {
    const { shape, unitTargets } = this.#options
    return Math.ceil(shape.targets / unitTargets)
  }

  /** Divides targets into units: a unit has whole nodes of at most `unitTargets`, those that begin in its share of the places. */
  #divide(): void {
    const { shape, unitTargets } = this.#options
    const starts = this.#words('unitStarts', this.units + 1).fill(shape.targets)
    const stride = nodeBytes / 4
    const nodes = this.#words('nodes.target', nodeCount(shape.targets) * stride)
    const link = (node: number, name: keyof typeof nodeLinks) => nodes[node * stride + nodeLinks[name] / 4] as number
    for (let node = 0, unit = 0; node * stride < nodes.length; ) {
      const first = link(node, 'first')
      if (link(node, 'last') - first > unitTargets) node++
      else {
        while (unit * unitTargets <= first) starts[unit++] = first
        node = link(node, 'skip')
      }
    }
  }

  /** Writes where the list of each target starts if lists are in the order of places. */
  #orderStarts(offsets: Uint32Array): void {
    const starts = this.#words('starts', offsets.length)
    const order = this.#order('target')
    let entries = 0
    for (let place = 0; place < starts.length - 1; place++) {
      const point = order[place] as number
      starts[place] = entries
      entries += (offsets[point + 1] as number) - (offsets[point] as number)
    }
    starts[starts.length - 1] = entries
  }

  /** The lengths of a periodic box, as the loop has them, in its precision; none in open space. */
  get #lengths(): readonly number[] {
    const { precision, shape } = this.#options
    const { boxX, boxY, boxZ } = this.#parameters
    const lengths = [boxX, boxY, boxZ].filter((length) => length !== undefined)
    return precision === 'f32' && !shape.split ? lengths.map(Math.fround) : lengths
  }

  #writeLengths(view: DataView, { lengths, shares }: { readonly lengths: number; readonly shares: number }): void {
    for (const [axis, length] of this.#lengths.entries()) {
      view.setFloat64(lengths + axis * 8, length, true)
      view.setFloat64(shares + axis * 8, 1 / length, true)
    }
  }

  #numbers(name: string, bytes: number): DataView {
    const { regions } = this.#options
    return new DataView(regions.memory.memory.buffer, regions.at(name), bytes)
  }

  #count(side: Side): number {
    const { targets, sources } = this.#options.shape
    return side === 'target' ? targets : sources
  }

  /** No coordinate of a side is larger, of those that are finite. */
  #largest(side: Side): number {
    const { regions, shape, coordinateBytes } = this.#options
    const points = this.#count(side)
    const parts = regions.memory.numbers(
      'f64',
      regions.at(`most.${side}`),
      orderingBytes(points, coordinateBytes).most / 8,
    )
    let most = 0
    for (const part of parts) most = Math.max(most, part)
    // A higher half may exceed its sum with the lower one.
    return shape.split ? most * (1 + 2 ** -20) : most
  }

  /** The order of a side, with what follows the last place. */
  #order(side: Side): Uint32Array {
    return this.#words(`order.${side}`, treeBytes(this.#count(side)).order / 4)
  }

  #words(name: string, length: number): Uint32Array {
    const { regions } = this.#options
    return new Uint32Array(regions.memory.memory.buffer, regions.at(name), length)
  }
}
