/**
 * The walk to the nearest sources, inside the module. It does the same as `walkNearest` of `@manybody/core/backend`, for a group
 * of blocks of targets: it skips what is outside the box of all that they reach.
 *
 * Nodes that wait are on a stack in the scratch of the thread. The gaps to both children of a node are computed at once, one in
 * each lane.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, laneAt, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import type { ReachedBox } from './reached-box.ts'
import { walkNumbers } from './walk.ts'

/** Bytes of the address of a node on the stack. */
export const waitingBytes = 4

export interface NearestWalkOptions {
  readonly writer: ModuleWriter
  readonly dimension: number
  readonly periodic: boolean
  /** Nodes with at most this many points are not opened. */
  readonly leafPoints: number
  /** Address of the stack. */
  readonly stack: Node
  /** What blocks of the group reach. It may become less during the walk. */
  readonly reached: ReachedBox
}

/** Writes the walk. It leaves out the node at the address `met`; `take` uses the places of each that it finds, and may write a stop. */
export type NearestWalk = (met: Node, take: (from: Node, to: Node, stop: () => void) => void) => void

export function nearestWalk(code: FunctionBuilder, block: Node, options: NearestWalkOptions): NearestWalk {
  const { writer, dimension, periodic, leafPoints, stack, reached } = options
  const slot = (name: string) => writer.slot(code, block, name)
  const [nodes, nodesEnd, walk] = [slot('nodes'), slot('nodesEnd'), slot('walk')]
  const splat = (name: 'lengths' | 'shares', axis: number) =>
    code.let('v128', name, at('v128.load64_splat', walkNumbers[name] + axis * 8, walk))
  const boxes = Array.from({ length: periodic ? dimension : 0 }, (_, axis) => ({
    length: splat('lengths', axis),
    share: splat('shares', axis),
  }))
  const top = code.local('i32', 'top')
  const push = (node: Node) => code.emit(at('i32.store', 0, get(top), node), set(top, plus(get(top), waitingBytes)))

  /** The largest gaps to two nodes along an axis. They are not numbers if a box is not finite. */
  const gaps = (left: Node, right: Node): Node => {
    const pair = (offset: number) => laneAt('v128.load64_lane', offset, 1, right, at('v128.load64_zero', offset, left))
    return reached.edges
      .map(({ centre, half }, axis) => {
        const apart = code.let('v128', 'apart', op('f64x2.sub', pair(axis * 8), get(centre)))
        const around = boxes[axis]
        const images = around && op('f64x2.nearest', op('f64x2.mul', apart, around.share))
        const nearest = around && images ? op('f64x2.sub', apart, op('f64x2.mul', around.length, images)) : apart
        return op('f64x2.sub', op('f64x2.sub', op('f64x2.abs', nearest), pair(24 + axis * 8)), get(half))
      })
      .reduce((a, b) => op('f64x2.max', a, b))
  }

  return (met, take) => {
    code.emit(set(top, stack))
    code.if(op('i32.lt_u', nodes, nodesEnd), () => {
      push(nodes)
      code.repeat(() => {
        code.emit(set(top, op('i32.sub', get(top), i32(waitingBytes))))
        const node = code.let('i32', 'node', at('i32.load', 0, get(top)))
        code.if(op('i32.ne', node, met), () => {
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
              const gap = (lane: number) => code.let('f64', 'gap', laned('f64x2.extract_lane', [lane], both))
              const [toLeft, toRight] = [gap(0), gap(1)]
              // Comparing what is not a number is false, so a box that is not finite is never skipped.
              const pushed = (node: Node, gap: Node) =>
                code.if(op('i32.eqz', op('f64.gt', gap, get(reached.limit))), () => push(node))
              const leftFirst = code.let('i32', 'leftFirst', op('f64.le', toLeft, toRight))
              const nearer = (yes: Node, no: Node) => op('select', yes, no, leftFirst)
              pushed(nearer(right, left), code.let('f64', 'gap', nearer(toRight, toLeft)))
              pushed(nearer(left, right), code.let('f64', 'gap', nearer(toLeft, toRight)))
            },
          )
        })
        return op('i32.ne', get(top), stack)
      })
    })
  }
}
