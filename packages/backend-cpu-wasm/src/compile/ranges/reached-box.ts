/**
 * The box around everything that the blocks of a group reach, each by its own reach. Where points get sparser on one side of
 * the group, blocks on that side have the longest reach. The box is then far smaller than the group widened by the longest
 * reach on all sides.
 *
 * @module
 */

import { walkNumbers } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, type Local, laned, type Node, op, set } from '../wasm/nodes.ts'
import { partsOf } from './order-records.ts'
import { toNearest } from './walk.ts'

export interface ReachedBox {
  /** Its centre and half edge along each axis, in both lanes. */
  readonly edges: readonly { readonly centre: Local; readonly half: Local }[]
  /** Begins with nothing, for the group with the box at an address. If that box is not finite, all gaps are NaN. */
  readonly start: (group: Node) => void
  /** Adds the space within reach of the box at an address. If the reach is infinite, all gaps are NaN, too. */
  readonly add: (box: Node, reach: Node) => void
  readonly end: () => void
}

/** Writes the box. */
export function reachedBox(
  code: FunctionBuilder,
  block: Node,
  {
    writer,
    dimension,
    periodic,
  }: { readonly writer: ModuleWriter; readonly dimension: number; readonly periodic: boolean },
): ReachedBox {
  const walk = writer.slot(code, block, 'walk')
  const edges = Array.from({ length: dimension }, () => ({
    centre: code.local('v128', 'centre'),
    half: code.local('v128', 'half'),
  }))
  const parts = partsOf(dimension).map((axis) => ({
    origin: code.local('v128', 'origin'),
    low: code.local('v128', 'low'),
    high: code.local('v128', 'high'),
    edges: edges.slice(axis, axis + 2),
    /** Two numbers, or the last of three. */
    load: (offset: number, from: Node) => at(axis === 2 ? 'v128.load64_zero' : 'v128.load', offset + 8 * axis, from),
  }))
  return {
    edges,
    start(group) {
      const infinity = code.constant('f64x2', Number.POSITIVE_INFINITY)
      for (const { origin, low, high, load } of parts)
        code.emit(set(origin, load(0, group)), set(low, infinity), set(high, op('f64x2.neg', infinity)))
    },
    add(box, reach) {
      const added = code.let('v128', 'reach', op('f64x2.splat', reach))
      for (const { origin, low, high, load } of parts) {
        // Between a NaN and a number, these keep the number. Then the origin is NaN, too.
        const straight = code.let('v128', 'apart', op('f64x2.sub', load(0, box), get(origin)))
        const around = { length: load(walkNumbers.lengths, walk), share: load(walkNumbers.shares, walk) }
        const apart = code.let('v128', 'apart', toNearest('f64x2', straight, periodic ? around : undefined))
        const far = code.let('v128', 'reach', op('f64x2.add', load(24, box), added))
        code.emit(
          set(low, op('f64x2.pmin', get(low), op('f64x2.sub', apart, far))),
          set(high, op('f64x2.pmax', get(high), op('f64x2.add', apart, far))),
        )
      }
    },
    end() {
      for (const { origin, low, high, edges } of parts) {
        const width = op('f64x2.sub', get(high), get(low))
        const size = code.let('v128', 'half', op('f64x2.mul', width, code.constant('f64x2', 0.5)))
        const centre = code.let('v128', 'centre', op('f64x2.add', get(origin), op('f64x2.add', get(low), size)))
        for (const [lane, edge] of edges.entries()) {
          const splat = (pair: Node) => op('f64x2.splat', laned('f64x2.extract_lane', [lane], pair))
          code.emit(set(edge.centre, splat(centre)), set(edge.half, splat(size)))
        }
      }
    },
  }
}
