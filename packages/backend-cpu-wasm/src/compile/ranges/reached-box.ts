/**
 * The box around everything that the blocks of a group reach, each by its own reach. Where points get sparser on one side of
 * the group, blocks on that side have the longest reach. The box is then far smaller than the group widened by the longest
 * reach on all sides.
 *
 * @module
 */

import { walkNumbers } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Local, type Node } from '../wasm/nodes.ts'
import { toNearest } from './walk.ts'

export interface ReachedBox {
  /** Its centre and half edge along each axis, in both lanes. */
  readonly edges: readonly { readonly centre: Local; readonly half: Local }[]
  /** Begins with nothing, for the group with the box at an address. If that box is not finite, all gaps are NaN. */
  readonly start: (code: FunctionBuilder, group: Node) => void
  /** Adds the space within reach of the box at an address. If the reach is infinite, all gaps are NaN, too. */
  readonly add: (code: FunctionBuilder, box: Node, reach: Node) => void
  readonly end: (code: FunctionBuilder) => void
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
  // Each part holds two axes. The last of three is alone.
  const parts = Math.ceil(dimension / 2)
  const lanes = Array.from({ length: parts }, (_, part) => Math.min(2, dimension - 2 * part))
  const local = (name: string) => lanes.map(() => code.local('v128', name))
  const [origins, lows, highs] = [local('origin'), local('low'), local('high')]
  const load = (_: FunctionBuilder, part: number, from: Node, offset: number) =>
    at(part === 1 ? 'v128.load64_zero' : 'v128.load', offset + 16 * part, from)
  const near = (code: FunctionBuilder, apart: Node, part: number) => {
    if (!periodic) return apart
    const { lengths, shares } = walkNumbers
    return toNearest('f64x2', apart, { length: load(code, part, walk, lengths), share: load(code, part, walk, shares) })
  }
  return {
    edges,
    start: (code, group) => write(code)`
      const origin: f64x2 = ${origins}
      const low: f64x2 = ${lows}
      const high: f64x2 = ${highs}
      unroll part of 0..${parts} {
        origin[part] = ${load}(part, ${group}, 0)
        low[part] = f64x2(infinity)
        high[part] = -f64x2(infinity)
      }`,
    add: (code, box, reach) => write(code)`
      const low: f64x2 = ${lows}
      const high: f64x2 = ${highs}
      const origin: f64x2 = ${origins}
      const load: f64x2 = ${load}
      let reach = f64x2(${reach})
      unroll part of 0..${parts} {
        // Between a NaN and a number, these keep the number. Then the origin is NaN, too.
        let straight = load(part, ${box}, 0) - origin[part]
        let apart: f64x2 = ${near}(straight, part)
        let far = load(part, ${box}, 24) + reach
        low[part] = pmin(low[part], apart - far)
        high[part] = pmax(high[part], apart + far)
      }`,
    end: (code) => write(code)`
      const low: f64x2 = ${lows}
      const high: f64x2 = ${highs}
      const origin: f64x2 = ${origins}
      const lanes = ${lanes}
      const centres = ${edges.map(({ centre }) => centre)}
      const halves = ${edges.map(({ half }) => half)}
      unroll part of 0..${parts} {
        let half = (high[part] - low[part]) * 0.5
        let centre = origin[part] + (low[part] + half)
        unroll n of 0..lanes[part] {
          centres[2 * part + n] = f64x2(lane(centre, n))
          halves[2 * part + n] = f64x2(lane(half, n))
        }
      }`,
  }
}
