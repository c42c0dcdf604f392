/**
 * The functions that fit boxes, as `fitBoxes` of `@manybody/core/backend` does: `leaf` ends the order of a block and fits its
 * box to its records, and `join` fits the box of a node to the boxes of its two children.
 *
 * Coordinates are those inside a periodic box, rounded to float64. The reach of walks allows for that.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { CoordinateBytes } from '../../design/design.ts'
import { numberAt, recordBytes, spaceNumbers } from '../../design/order-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define, value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import type { Callable, Node } from '../wasm/nodes.ts'
import { loadPart, partsOf, swapRecords } from './order-records.ts'

export interface FitOptions {
  readonly dimension: number
  readonly periodic: boolean
  /** Bytes of a coordinate in the records of points. */
  readonly coordinateBytes: CoordinateBytes
  /** Whether walks look up the boxes of blocks by their places. */
  readonly boxesOfBlocks: boolean
  /** Whether walks look up the least index of the points of a node. */
  readonly lowest: boolean
  /** How many of several equal points walks need, those with the least indices; undefined if they need all. */
  readonly neededOfEqual?: number | undefined
}

/** The least index of a node that walks need not open. */
const noIndex = -1

/** Halves are rounded up by more than their subtraction may have rounded them down. */
const up = 1 + 2 ** -50
/** Offset of half the edges in a box. */
const halfAt = 24

/** Defines both functions. */
export function defineFits(
  { module }: ModuleWriter,
  options: FitOptions,
): { readonly leaf: Callable; readonly join: Callable } {
  return {
    leaf: module.once('leaf', () => defineLeaf(module, options)),
    join: module.once('joinBoxes', () => defineJoin(module, options)),
  }
}

/** The image of a coordinate that is nearest to an origin. */
const imageNear = (code: FunctionBuilder, x: Node, origin: Node, length: Node, share: Node): Node => value(code)`
  const x = ${x} as f64x2
  x - ${length} * nearest((x - ${origin}) * ${share})`
const itself = (_: FunctionBuilder, x: Node): Node => x

/** Writes the numbers of an axis and the next one of some boxes, from their ends. The last of three axes is alone. */
const writeSides = (code: FunctionBuilder, axis: number, from: Node, to: Node, ...boxes: Node[]): void => write(code)`
  let low: f64x2 = ${from}
  let high: f64x2 = ${to}
  let centre = low + (high - low) * 0.5
  let half = max(high - centre, centre - low) * ${up}
  unroll box of ${boxes} {
    if ${axis} == 0 {
      v128[box] = centre
      v128[box + ${halfAt}] = half
    } else {
      v128.store64_lane[box + 8 * ${axis}, 0] = centre
      v128.store64_lane[box + ${halfAt} + 8 * ${axis}, 0] = half
    }
  }`

function defineLeaf(module: ModuleBuilder, options: FitOptions): Callable {
  const { dimension, coordinateBytes: bytes, periodic, boxesOfBlocks, lowest } = options
  const size = recordBytes(bytes)
  const number = numberAt(bytes)
  const near = periodic ? imageNear : itself
  const load = (_: FunctionBuilder, axis: number, record: Node) => loadPart(bytes, axis, record)
  return define(module)`
    fn leaf(first, last, node, records, nodes, blocks, order, places, space) {
      let link = nodes + node * ${nodeBytes}
      i32[link + ${nodeLinks.first}] = first
      i32[link + ${nodeLinks.last}] = last
      i32[link + ${nodeLinks.skip}] = node + 1
      let from = records + first * ${size}
      let end = records + last * ${size}

      // There are few records, and most are in order already.
      for sorted in from + ${size}..end step ${size} {
        var before = sorted - ${size}
        while before >= from && i32[before + ${number}] > i32[before + ${size + number}] {
          let next = before + ${size}
          ${swapRecords(bytes)}(before, next)
          before -= ${size}
        }
      }

      const axes = ${partsOf(dimension)}
      unroll axis of axes {
        if ${periodic} {
          let length[axis] = v128[space + ${spaceNumbers.lengths} + 8 * axis] as f64x2
          let share[axis] = v128[space + ${spaceNumbers.shares} + 8 * axis] as f64x2
        }
      }
      unroll axis of axes {
        let origin[axis]: f64x2 = ${load}(axis, from)
        var low[axis] = origin[axis]
        var high[axis] = origin[axis]
      }
      if ${lowest} { i32[link + ${nodeLinks.lowest}] = i32[from + ${number}] >> 1 }
      var place = first
      // Whether a coordinate of a point is not finite, in the lowest bit.
      var lost = 0
      for record in from..end step ${size} {
        let numbered = i32[record + ${number}]
        let point = numbered >> 1
        i32[order + place * 4] = point
        if places { i32[places + point * 4] = place }
        place += 1
        lost |= numbered
        unroll axis of axes {
          let given: f64x2 = ${load}(axis, record)
          let x: f64x2 = ${near}(given, origin[axis], length[axis], share[axis])
          low[axis] = pmin(low[axis], x)
          high[axis] = pmax(high[axis], x)
        }
      }
      unroll axis of axes {
        // A coordinate that is not finite makes the box NaN. Walks never skip such a box.
        if lost & 1 { low[axis] = nan }
        if ${boxesOfBlocks} {
          let box = blocks + first * ${nodeBytes / blockPoints}
          ${writeSides}(axis, low[axis], high[axis], link, box)
        } else { ${writeSides}(axis, low[axis], high[axis], link) }
      }
    }`
}

function defineJoin(module: ModuleBuilder, { dimension, periodic, lowest, neededOfEqual }: FitOptions): Callable {
  const near = periodic ? imageNear : itself
  const needed = neededOfEqual ?? 0
  return define(module)`
    fn joinBoxes(node, nodes, space) {
      let left = node + ${nodeBytes}
      if nodes + i32[node + ${nodeLinks.skip}] * ${nodeBytes} != left {
        let right = nodes + i32[left + ${nodeLinks.skip}] * ${nodeBytes}
        if ${lowest} {
          let a = i32[left + ${nodeLinks.lowest}]
          let b = i32[right + ${nodeLinks.lowest}]
          i32[node + ${nodeLinks.lowest}] = min(a, b)
        }
        if ${neededOfEqual !== undefined} {
          // Of equal points, those on the left have the lesser indices.
          const isHeap = all(axis of 0..${dimension}:
            f64[left + ${halfAt} + 8 * axis] == 0 && f64[right + ${halfAt} + 8 * axis] == 0 && f64[left + 8 * axis] == f64[right + 8 * axis])
          let count = i32[left + ${nodeLinks.last}] - i32[left + ${nodeLinks.first}]
          if isHeap && count >= ${needed} { i32[right + ${nodeLinks.lowest}] = ${noIndex} }
        }
        unroll axis of ${partsOf(dimension)} {
          if ${periodic} {
            let length[axis] = v128[space + ${spaceNumbers.lengths} + 8 * axis] as f64x2
            let share[axis] = v128[space + ${spaceNumbers.shares} + 8 * axis] as f64x2
          }
          let here = v128[left + 8 * axis] as f64x2
          let other = v128[right + 8 * axis] as f64x2
          let halfHere = v128[left + ${halfAt} + 8 * axis] as f64x2
          let halfThere = v128[right + ${halfAt} + 8 * axis] as f64x2
          let there: f64x2 = ${near}(other, here, length[axis], share[axis])
          const low = min(here - halfHere, there - halfThere)
          const high = max(here + halfHere, there + halfThere)
          ${writeSides}(axis, low, high, node)
        }
      }
    }`
}
