/**
 * The points of a placement, arranged in blocks. Each run puts them in order and fits the boxes, in phases of the module that
 * start from the order before. The result depends on the positions alone.
 *
 * This is the host's share of the work: the memory, and the numbers that walks read.
 *
 * @module
 */

import type { Bindings } from '@manybody/core'
import { boxesIn, nodeBytes, nodeLinks } from '@manybody/core/backend'
import { type ReachOptions, reachLine, reachOf, surelyWithin } from '@manybody/core/near'
import type { Side } from '../../design/design.ts'
import { spaceBytes, unitTargets, walkBytes } from '../../design/loaded-at-once.ts'
import { spaceNumbers } from '../../design/order-layout.ts'
import { walkNumbers } from '../../design/walk-layout.ts'
import { type OrderedPoints, orderTable, sidesOf, unitsIn } from './order-table.ts'
import type { Regions, RegionTable } from './regions.ts'

export class Arrangement {
  readonly #options: OrderedPoints
  readonly #regions: Regions
  readonly #sides: readonly Side[]
  readonly #table: RegionTable
  #parameters: Readonly<Record<string, number>> = {}
  /** Where the list of each target starts. */
  #offsets: Uint32Array | undefined
  /** Number of units of the phase `pairs`. */
  readonly units: number
  /** Whether orders are complete, so that the next run can start from them. An aborted run may leave them half done. */
  #complete = false

  constructor(options: OrderedPoints, regions: Regions) {
    this.#options = options
    this.#regions = regions
    this.#sides = sidesOf(options.shape)
    this.#table = orderTable(options, { words: {} })
    this.units = unitsIn(options)
  }

  /** Takes the numbers of a run. */
  bind({ parameters, offsets }: Pick<Bindings, 'parameters' | 'offsets'>): void {
    this.#parameters = parameters
    this.#offsets = offsets
  }

  /** Takes other parameters, such as another cutoff. */
  renumber(parameters: Bindings['parameters']): void {
    this.#parameters = parameters
  }

  /** Names of the regions that the phase `pairs` reads. */
  readonly read: readonly string[] = [
    ...['walk', 'unitStarts', 'sourcePlaces', 'starts'],
    ...['Nodes', 'Blocks', 'Order'].flatMap((part) => [`target${part}`, `source${part}`]),
  ]

  /** Prepares the memory for the phases that put points in order. */
  begin(): void {
    for (const side of this.#sides) {
      const points = this.#options.shape[`${side}s`]
      this.#words(`${side}Tasks`).set([0, points, 0])
      if (this.#complete) continue
      const order = this.#words(`${side}Order`)
      for (let place = 0; place < points; place++) order[place] = place
    }
    this.#complete = false
    this.#writeLengths(this.#numbers('space', spaceBytes), spaceNumbers)
  }

  /** Completes the regions that the phase `pairs` reads. Pairs may come closer by the skin before points are put in order again. */
  finish(skin = 0): void {
    const { precision, shape } = this.#options
    const { dimension, split = false } = shape
    let most = 0
    for (const side of this.#sides) {
      most = Math.max(most, this.#largest(side))
      // The phases also read points after the last place. A copy of the last point there does not make a walk longer.
      const [order, points] = [this.#words(`${side}Order`), shape[`${side}s`]]
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
    // Targets keep distances in the unit of the caller, which may round them once more.
    const unit = Math.max(1, lengthUnit)
    const lines = (['f64', precision] as const).map((boxes) => reachLine({ ...options, boxes, unit }))
    const within = surelyWithin(options)
    const walk = this.#numbers('walk', walkBytes)
    this.#writeLengths(walk, walkNumbers)
    walk.setFloat64(walkNumbers.reach2, reach * reach, true)
    // Verlet lists compare rounded targets with rounded sources.
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
    const starts = this.#words('unitStarts')
    return [starts[first] as number, starts[last] as number]
  }

  /** Divides targets into units. A unit has whole nodes of at most `most` targets: the nodes that begin in its share of the places. */
  #divide(): void {
    const { design, shape } = this.#options
    const most = unitTargets(design)
    const starts = this.#words('unitStarts').fill(shape.targets)
    const stride = nodeBytes / 4
    const nodes = this.#words('targetNodes')
    const [firstAt, lastAt, skipAt] = [nodeLinks.first / 4, nodeLinks.last / 4, nodeLinks.skip / 4]
    for (let at = 0, unit = 0; at < nodes.length; ) {
      const first = nodes[at + firstAt] as number
      if ((nodes[at + lastAt] as number) - first > most) at += stride
      else {
        while (unit * most <= first) starts[unit++] = first
        at = (nodes[at + skipAt] as number) * stride
      }
    }
  }

  /** Writes the start of each target's list, for lists in the order of places. */
  #orderStarts(offsets: Uint32Array): void {
    const starts = this.#words('starts', offsets.length)
    const order = this.#words('targetOrder')
    let entries = 0
    for (let place = 0; place < starts.length - 1; place++) {
      const point = order[place] as number
      starts[place] = entries
      entries += (offsets[point + 1] as number) - (offsets[point] as number)
    }
    starts[starts.length - 1] = entries
  }

  /** The lengths of a periodic box, as the loop has them, in its precision; 0 or none along an axis that does not repeat. */
  get #lengths(): readonly number[] {
    const { precision, shape } = this.#options
    const lengths = boxesIn(this.#parameters)
    return precision === 'f32' && !shape.split ? lengths.map(Math.fround) : lengths
  }

  #writeLengths(view: DataView, { lengths, shares }: { readonly lengths: number; readonly shares: number }): void {
    const own = this.#lengths
    for (let axis = 0; axis < 3; axis++) {
      const length = own[axis] ?? 0
      view.setFloat64(lengths + axis * 8, length, true)
      view.setFloat64(shares + axis * 8, length && 1 / length, true)
    }
  }

  /** An upper bound of all finite coordinates of a side. */
  #largest(side: Side): number {
    const name = `${side}Most`
    const { memory, at } = this.#regions
    let most = 0
    for (const part of new Float64Array(memory.memory.buffer, at[name], this.#bytes(name) / 8))
      most = Math.max(most, part)
    // The upper part of a split coordinate may exceed its sum with the lower part.
    return this.#options.shape.split ? most * (1 + 2 ** -20) : most
  }

  #numbers(name: string, bytes: number): DataView {
    const { memory, at } = this.#regions
    return new DataView(memory.memory.buffer, at[name], bytes)
  }

  /** A region as words. The order of a side has some spare words behind the last place. */
  #words(name: string, length: number = this.#bytes(name) / 4): Uint32Array {
    const { memory, at } = this.#regions
    return new Uint32Array(memory.memory.buffer, at[name], length)
  }

  #bytes(name: string): number {
    return this.#table[name]?.bytes ?? 0
  }
}
