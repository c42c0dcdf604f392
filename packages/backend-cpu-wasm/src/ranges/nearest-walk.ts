/**
 * The walk to the nearest sources, inside the module. It does the same as `walkNearest` of `@manybody/core/backend`, for a group
 * of blocks of targets: the reach is that of the block which needs the longest.
 *
 * Nodes that wait are on a stack in the scratch of the thread, with the squares of their gaps. The gaps to both children of a
 * node are computed at once, one in each lane.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, laneAt, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { walkNumbers } from './walk.ts'

/** Bytes of a node on the stack: the square of its gap, and its address. */
export const waitingBytes = 16

export interface NearestWalkOptions {
  readonly writer: ModuleWriter
  readonly dimension: number
  readonly periodic: boolean
  /** Nodes with at most this many points are not opened. */
  readonly leafPoints: number
  /** Address of the stack. */
  readonly stack: Node
  /** The square of the reach. It may become less during the walk. */
  readonly reach2: Local
}

/** Writes the walk for the box at an address; `take` uses the places of each node that it finds, and may write a stop. */
export type NearestWalk = (box: Node, take: (from: Node, to: Node, stop: () => void) => void) => void

export function nearestWalk(code: FunctionBuilder, block: Node, options: NearestWalkOptions): NearestWalk {
  const { writer, dimension, periodic, leafPoints, stack, reach2 } = options
  const slot = (name: string) => writer.slot(code, block, name)
  const [nodes, nodesEnd, walk] = [slot('nodes'), slot('nodesEnd'), slot('walk')]
  const used = [0, 1, 2].slice(0, dimension)
  const named = (name: keyof typeof walkNumbers, axis = 0) =>
    code.let('f64', name, at('f64.load', walkNumbers[name] + axis * 8, walk))
  const splat = (name: string, value: Node) => code.let('v128', name, op('f64x2.splat', value))
  const boxes = periodic
    ? used.map((axis) => ({
        length: splat('length', named('lengths', axis)),
        share: splat('share', named('shares', axis)),
      }))
    : []
  const top = code.local('i32', 'top')
  const zero = code.constant('f64x2', 0)

  const push = (node: Node, gap2: Node) =>
    code.emit(
      at('f64.store', 0, get(top), gap2),
      at('i32.store', 8, get(top), node),
      set(top, plus(get(top), waitingBytes)),
    )

  return (from, take) => {
    const box = code.let('i32', 'box', from)
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
          const apart = code.let('v128', 'apart', op('f64x2.sub', pair(axis * 8), centre))
          const around = boxes[axis]
          const images = around && op('f64x2.nearest', op('f64x2.mul', apart, around.share))
          const nearest = around && images ? op('f64x2.sub', apart, op('f64x2.mul', around.length, images)) : apart
          const between = op('f64x2.sub', op('f64x2.sub', op('f64x2.abs', nearest), pair(24 + axis * 8)), half)
          const gap = code.let('v128', 'gap', op('f64x2.max', between, zero))
          return op('f64x2.mul', gap, gap)
        })
        .reduce((a, b) => op('f64x2.add', a, b))
    }
    code.emit(set(top, stack))
    code.if(op('i32.lt_u', nodes, nodesEnd), () => {
      push(nodes, { kind: 'constant', type: 'f64', value: 0 })
      code.repeat(() => {
        code.emit(set(top, op('i32.sub', get(top), i32(waitingBytes))))
        // A gap is NaN if a box is not finite. Comparing it is false, so such a box is never skipped.
        code.if(op('i32.eqz', op('f64.gt', at('f64.load', 0, get(top)), get(reach2))), () => {
          const node = code.let('i32', 'node', at('i32.load', 8, get(top)))
          const [from, to] = (['first', 'last'] as const).map((link) =>
            code.let('i32', link, at('i32.load', nodeLinks[link], node)),
          ) as [Node, Node]
          const left = code.let('i32', 'left', plus(node, nodeBytes))
          const next = (of: Node) => plus(nodes, times(at('i32.load', nodeLinks.skip, of), nodeBytes))
          code.if(
            op('i32.le_u', op('i32.sub', to, from), i32(leafPoints)),
            () => take(from, to, () => code.emit(set(top, stack))),
            () => {
              const right = code.let('i32', 'right', next(left))
              const both = code.let('v128', 'gaps', gaps(left, right))
              const gap = (lane: number) => code.let('f64', 'gap2', laned('f64x2.extract_lane', [lane], both))
              const [toLeft, toRight] = [gap(0), gap(1)]
              const pushed = (node: Node, gap2: Node) =>
                code.if(op('i32.eqz', op('f64.gt', gap2, get(reach2))), () => push(node, gap2))
              const leftFirst = code.let('i32', 'leftFirst', op('f64.le', toLeft, toRight))
              const nearer = (yes: Node, no: Node) => op('select', yes, no, leftFirst)
              pushed(nearer(right, left), code.let('f64', 'far', nearer(toRight, toLeft)))
              pushed(nearer(left, right), code.let('f64', 'near', nearer(toLeft, toRight)))
            },
          )
        })
        return op('i32.ne', get(top), stack)
      })
    })
  }
}
