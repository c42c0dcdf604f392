/**
 * The phases `fit.target` and `fit.source`: they fit the boxes of a tree to the positions of a run, as `fitBoxes` of
 * `@manybody/core/backend` does. Their units are nodes, from the last to the first.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { at, get, i32, laneAt, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import type { Side } from './points.ts'
import { walkNumbers } from './walk.ts'

export interface FitOptions {
  readonly dimension: number
  readonly periodic: boolean
  /** Whether each coordinate is the sum of two floats. */
  readonly split: boolean
}

/** Halves are rounded up by more than their subtraction may have rounded them down. */
const up: Node = { kind: 'constant', type: 'f64', value: 1 + 2 ** -50 }
const half: Node = { kind: 'constant', type: 'f64', value: 0.5 }

/** The two ends of a box along an axis. */
type Ends = readonly [low: Node, high: Node]

/** Adds the phase of a side. */
export function defineFit(writer: ModuleWriter, side: Side, { dimension, periodic, split }: FitOptions): void {
  const { bytes } = writer.v
  const axes = ['X', 'Y', 'Z'].slice(0, dimension)
  writer.phase(`fit.${side}`, (f, { block, first, last }) => {
    const slot = (name: string) => writer.slot(f, block, name)
    const [nodes, blocks, order] = [slot(`${side}Nodes`), slot(`${side}Blocks`), slot(`${side}Order`)]
    const walk = slot('walk')
    const position = slot(`${side}.position`)
    const lows = axes.map((axis) => (split ? slot(`${side}.positionLow${axis}`) : undefined))
    const number = (name: 'lengths' | 'shares', axis: number) =>
      f.let('f64', name, at('f64.load', walkNumbers[name] + axis * 8, walk))
    const boxes = axes.map((_, axis) => ({ length: number('lengths', axis), share: number('shares', axis) }))
    const wide = boxes.map(({ length, share }) => ({
      length: f.let('v128', 'lengths', op('f64x2.splat', length)),
      share: f.let('v128', 'shares', op('f64x2.splat', share)),
    }))

    /** One number of two points each, as float64. */
    const both = (a: Node, b: Node, offset: number): Node =>
      bytes === 8
        ? laneAt('v128.load64_lane', offset, 1, b, at('v128.load64_zero', offset, a))
        : op('f64x2.promote_low_f32x4', laneAt('v128.load32_lane', offset, 1, b, at('v128.load32_zero', offset, a)))

    /** The ends of the box around a block. Whole blocks are read: after the last place there are copies of the last point. */
    const around = (place: Node): readonly Ends[] => {
      const from = f.let('i32', 'from', plus(order, times(place, 4)))
      const points = Array.from({ length: blockPoints }, (_, n) => f.let('i32', 'point', at('i32.load', 4 * n, from)))
      const addresses = points.map((point) => f.let('i32', 'at', plus(position, times(point, dimension * bytes))))
      return axes.map((_, axis) => {
        const low = lows[axis]
        const pair = (n: number): Node => {
          const [a, b] = [n, n + 1] as const
          const high = both(addresses[a] as Node, addresses[b] as Node, axis * bytes)
          if (!low) return high
          const lowAt = (k: number) => plus(low, times(points[k] as Node, bytes))
          return op('f64x2.add', high, both(lowAt(a), lowAt(b), 0))
        }
        const firstTwo = f.let('v128', 'x', pair(0))
        const origin = f.let('v128', 'origin', op('f64x2.splat', laned('f64x2.extract_lane', [0], firstTwo)))
        const near = (x: Node): Node => {
          if (!periodic) return x
          const { length, share } = wide[axis] as (typeof wide)[number]
          const images = op('f64x2.nearest', op('f64x2.mul', op('f64x2.sub', x, origin), share))
          return op('f64x2.sub', x, op('f64x2.mul', length, images))
        }
        const [lowest, highest, finite] = ['lowest', 'highest', 'finite'].map((name) => f.local('v128', name)) as [
          ReturnType<typeof f.local>,
          ReturnType<typeof f.local>,
          ReturnType<typeof f.local>,
        ]
        for (let n = 0; n < blockPoints; n += 2) {
          const x = f.let('v128', 'near', near(n === 0 ? firstTwo : f.let('v128', 'x', pair(n))))
          // A number that is not finite makes this NaN, and the box with it. Such a box is never skipped.
          const zero = op('f64x2.mul', x, f.constant('f64x2', 0))
          f.emit(
            set(lowest, n === 0 ? x : op('f64x2.pmin', get(lowest), x)),
            set(highest, n === 0 ? x : op('f64x2.pmax', get(highest), x)),
            set(finite, n === 0 ? zero : op('f64x2.add', get(finite), zero)),
          )
        }
        const lane = (of: Node, n: number) => laned('f64x2.extract_lane', [n], of)
        const end = (name: 'f64.min' | 'f64.max', of: Node) =>
          f.let('f64', 'end', op('f64.add', op(name, lane(of, 0), lane(of, 1)), lane(get(finite), 0)))
        const [a, b] = [end('f64.min', get(lowest)), end('f64.max', get(highest))]
        return [op('f64.add', a, lane(get(finite), 1)), b]
      })
    }

    /** The ends of the box around two boxes. */
    const joined = (left: Node, right: Node): readonly Ends[] =>
      axes.map((_, axis) => {
        const read = (name: string, box: Node, offset: number) =>
          f.let('f64', name, at('f64.load', offset + axis * 8, box))
        const [here, other] = [read('here', left, 0), read('other', right, 0)]
        const [halfHere, halfThere] = [read('halfHere', left, 24), read('halfThere', right, 24)]
        const { length, share } = boxes[axis] as (typeof boxes)[number]
        const images = op('f64.nearest', op('f64.mul', op('f64.sub', other, here), share))
        const there = periodic ? f.let('f64', 'there', op('f64.sub', other, op('f64.mul', length, images))) : other
        return [
          op('f64.min', op('f64.sub', here, halfHere), op('f64.sub', there, halfThere)),
          op('f64.max', op('f64.add', here, halfHere), op('f64.add', there, halfThere)),
        ]
      })

    const write = (ends: readonly Ends[], to: readonly Node[]) => {
      for (const [axis, [low, high]] of ends.entries()) {
        const [from, until] = [f.let('f64', 'low', low), f.let('f64', 'high', high)]
        const middle = op('f64.add', from, op('f64.mul', op('f64.sub', until, from), half))
        const centre = f.let('f64', 'centre', middle)
        const most = op('f64.max', op('f64.sub', until, centre), op('f64.sub', centre, from))
        const reach = f.let('f64', 'half', op('f64.mul', most, up))
        for (const box of to) f.emit(at('f64.store', axis * 8, box, centre), at('f64.store', 24 + axis * 8, box, reach))
      }
    }

    f.for('done', first, last, 1, (done) => {
      const number = op('i32.sub', op('i32.sub', plus(first, last), done), i32(1))
      const node = f.let('i32', 'node', plus(nodes, times(number, nodeBytes)))
      const next = f.let('i32', 'next', plus(node, nodeBytes))
      const addressed = (of: Node) => plus(nodes, times(at('i32.load', nodeLinks.skip, of), nodeBytes))
      f.if(
        op('i32.eq', addressed(node), next),
        () => {
          const place = f.let('i32', 'place', at('i32.load', nodeLinks.first, node))
          const box = f.let('i32', 'box', plus(blocks, times(place, nodeBytes / blockPoints)))
          write(around(place), [node, box])
        },
        () => write(joined(next, f.let('i32', 'right', addressed(next))), [node]),
      )
    })
  })
}
