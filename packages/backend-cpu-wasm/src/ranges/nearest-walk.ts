/**
 * The walk to the nearest sources, inside the module. It does the same as `walkNearest` of `@manybody/core/backend`.
 *
 * Nodes that wait are on a stack in the scratch of the thread, with the squares of their gaps. The gaps to both children of a
 * node are computed at once, one in each lane.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, laneAt, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { walkNumbers } from './walk.ts'

/** Bytes of a node on the stack: the square of its gap, and its address. */
export const waitingBytes = 16

export interface NearestWalkOptions {
  readonly writer: ModuleWriter
  readonly dimension: number
  readonly periodic: boolean
  /** The power of the distance that the targets keep. */
  readonly power: 1 | 2
  /** Address of the stack. */
  readonly stack: Node
  /** The worst value that each target keeps, one register for each register of targets. */
  readonly worst: () => readonly Node[]
  /** Whether a tile has just been met, which may have changed them. */
  readonly shortened: () => Node
}

/** Writes the walk for the box at an address; `take` uses the places of each block of sources that it finds. */
export type NearestWalk = (box: Node, take: (from: Node, to: Node) => void) => void

export function nearestWalk(f: FunctionBuilder, block: Node, options: NearestWalkOptions): NearestWalk {
  const { writer, dimension, periodic, power, stack, worst, shortened } = options
  const slot = (name: string) => writer.slot(f, block, name)
  const [nodes, nodesEnd, walk] = [slot('nodes'), slot('nodesEnd'), slot('walk')]
  const used = [0, 1, 2].slice(0, dimension)
  const named = (name: keyof typeof walkNumbers, axis = 0) =>
    f.let('f64', name, at('f64.load', walkNumbers[name] + axis * 8, walk))
  const [most2, slope, start] = [named('reach2'), named('slope'), named('start')]
  const splat = (name: string, value: Node) => f.let('v128', name, op('f64x2.splat', value))
  const boxes = periodic
    ? used.map((axis) => ({
        length: splat('length', named('lengths', axis)),
        share: splat('share', named('shares', axis)),
      }))
    : []
  const [top, reach2] = [f.local('i32', 'top'), f.local('f64', 'reach2')]
  const zero = f.constant('f64x2', 0)

  /** Shortens the reach to the distance beyond which no target would keep a source. */
  const narrow = () => {
    const all = worst().reduce((a, b) => writer.v.op('pmax', a, b))
    const registers = f.let('v128', 'worst', all)
    const single = writer.v.bytes === 4
    const lanes = Array.from({ length: writer.v.lanes }, (_, lane) =>
      laned(single ? 'f32x4.extract_lane' : 'f64x2.extract_lane', [lane], registers),
    )
    const largest = lanes.reduce((a, b) => op(single ? 'f32.max' : 'f64.max', a, b))
    const value = single ? op('f64.promote_f32', largest) : largest
    const distance = power === 2 ? op('f64.sqrt', value) : value
    const reach = f.let('f64', 'reach', op('f64.add', op('f64.mul', distance, slope), start))
    f.emit(set(reach2, op('f64.min', most2, op('f64.mul', reach, reach))))
  }
  const push = (node: Node, gap2: Node) =>
    f.emit(
      at('f64.store', 0, get(top), gap2),
      at('i32.store', 8, get(top), node),
      set(top, plus(get(top), waitingBytes)),
    )

  return (from, take) => {
    const box = f.let('i32', 'box', from)
    const target = used.map((axis) => ({
      centre: splat('centre', at('f64.load', axis * 8, box)),
      half: splat('half', at('f64.load', 24 + axis * 8, box)),
    }))
    /** The squares of the gaps to two nodes. */
    const gaps = (left: Node, right: Node): Node => {
      const pair = (offset: number) =>
        laneAt('v128.load64_lane', offset, 1, right, at('v128.load64_zero', offset, left))
      return used
        .map((axis) => {
          const { centre, half } = target[axis] as (typeof target)[number]
          const apart = f.let('v128', 'apart', op('f64x2.sub', pair(axis * 8), centre))
          const around = boxes[axis]
          const images = around && op('f64x2.nearest', op('f64x2.mul', apart, around.share))
          const nearest = around && images ? op('f64x2.sub', apart, op('f64x2.mul', around.length, images)) : apart
          const between = op('f64x2.sub', op('f64x2.sub', op('f64x2.abs', nearest), pair(24 + axis * 8)), half)
          const gap = f.let('v128', 'gap', op('f64x2.max', between, zero))
          return op('f64x2.mul', gap, gap)
        })
        .reduce((a, b) => op('f64x2.add', a, b))
    }
    f.emit(set(reach2, most2), set(top, stack))
    f.if(op('i32.lt_u', nodes, nodesEnd), () => {
      push(nodes, { kind: 'constant', type: 'f64', value: 0 })
      f.repeat(() => {
        f.emit(set(top, op('i32.sub', get(top), i32(waitingBytes))))
        // A gap is NaN if a box is not finite. Comparing it is false, so such a box is never skipped.
        f.if(op('i32.eqz', op('f64.gt', at('f64.load', 0, get(top)), get(reach2))), () => {
          const node = f.let('i32', 'node', at('i32.load', 8, get(top)))
          const left = f.let('i32', 'left', plus(node, nodeBytes))
          const next = (of: Node) => plus(nodes, times(at('i32.load', nodeLinks.skip, of), nodeBytes))
          f.if(
            op('i32.eq', next(node), left),
            () => {
              take(
                f.let('i32', 'from', at('i32.load', nodeLinks.first, node)),
                f.let('i32', 'to', at('i32.load', nodeLinks.last, node)),
              )
              f.if(shortened(), narrow)
            },
            () => {
              const right = f.let('i32', 'right', next(left))
              const both = f.let('v128', 'gaps', gaps(left, right))
              const gap = (lane: number) => f.let('f64', 'gap2', laned('f64x2.extract_lane', [lane], both))
              const [toLeft, toRight] = [gap(0), gap(1)]
              const pushed = (node: Node, gap2: Node) =>
                f.if(op('i32.eqz', op('f64.gt', gap2, get(reach2))), () => push(node, gap2))
              const leftFirst = f.let('i32', 'leftFirst', op('f64.le', toLeft, toRight))
              const nearer = (yes: Node, no: Node) => op('select', yes, no, leftFirst)
              pushed(nearer(right, left), f.let('f64', 'far', nearer(toRight, toLeft)))
              pushed(nearer(left, right), f.let('f64', 'near', nearer(toLeft, toRight)))
            },
          )
        })
        return op('i32.ne', get(top), stack)
      })
    })
  }
}
