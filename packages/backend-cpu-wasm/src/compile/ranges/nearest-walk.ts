/**
 * The walk to the nearest sources, inside the module. It finds the same as `walkNearest` of `@manybody/core/backend`, for a
 * group of blocks of targets: it skips nodes outside the box around everything that the blocks reach.
 *
 * Waiting nodes are on a stack in the scratch of the thread. The walk takes several at a time and opens them without a branch,
 * because no processor can predict which nodes are near, and because their boxes then come from memory at once. The gaps to
 * both children of a node are computed together, one in each lane.
 *
 * @module
 */

import { nodeBytes, nodeLinks } from '@manybody/core/near'
import { mostDeep } from '../../design/order-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, laneAt, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { whileIn } from './order-records.ts'
import type { ReachedBox } from './reached-box.ts'
import { aroundOf, toNearest } from './walk.ts'

/** How many nodes are taken from the stack at a time. */
const together = 16
/** Bytes of the address of a node. */
const addressBytes = 4
/** Bytes of the nodes taken from the stack, and of the leaves among their children. */
const [takenBytes, leavesBytes] = [together * addressBytes, (2 * together + 1) * addressBytes]

/**
 * Bytes of memory for a walk through any tree. The stack cannot grow beyond them: a node at the place `p` is at least
 * `floor(p / together)` nodes below the root, as its parent was at a place above `p - together`.
 */
export const nearestWalkBytes: number = takenBytes + leavesBytes + together * mostDeep * addressBytes

export interface NearestWalkOptions {
  readonly writer: ModuleWriter
  readonly dimension: number
  readonly periodic: boolean
  /** Nodes with at most this many points are not opened. */
  readonly leafPoints: number
  /** Address of the memory of the walk. */
  readonly stack: Node
  /** The box around everything that the blocks of the group reach. It may shrink during the walk. */
  readonly reached: ReachedBox
  /** Nodes with later points alone are skipped, too. It may shrink during the walk. */
  readonly latest: Local
}

export interface NearestWalk {
  /** Writes a walk that skips the node at the address `met`. `take` gets the places of each node that it finds. */
  readonly all: (met: Node, take: (from: Node, to: Node) => void) => void
  /** Writes the way to one node near the centre. `take` gets its places. */
  readonly first: (take: (from: Node, to: Node) => void) => void
}

export function nearestWalk(code: FunctionBuilder, block: Node, options: NearestWalkOptions): NearestWalk {
  const { writer, dimension, periodic, leafPoints, reached, latest } = options
  const slot = (name: string) => writer.slot(code, block, name)
  const [nodes, nodesEnd, walk] = [slot('nodes'), slot('nodesEnd'), slot('walk')]
  const boxes = Array.from({ length: periodic ? dimension : 0 }, (_, axis) =>
    aroundOf(walk, axis, (x) => code.let('v128', 'around', op('f64x2.splat', x))),
  )
  const childrenOf = (node: Node): readonly [left: Node, right: Node] => {
    const left = code.let('i32', 'left', plus(node, nodeBytes))
    return [left, code.let('i32', 'right', plus(nodes, times(at('i32.load', nodeLinks.skip, left), nodeBytes)))]
  }
  const linkOf = (node: Node, link: 'first' | 'last') => at('i32.load', nodeLinks[link], node)
  const isEarly = (node: Node) => op('i32.le_u', at('i32.load', nodeLinks.lowest, node), get(latest))
  const isLeaf = (node: Node) =>
    op('i32.le_u', op('i32.sub', linkOf(node, 'last'), linkOf(node, 'first')), i32(leafPoints))

  /** The largest gaps to two nodes along an axis. A gap to a box that is not finite is NaN. */
  const gaps = (left: Node, right: Node): Node => {
    const pair = (offset: number) => laneAt('v128.load64_lane', offset, 1, right, at('v128.load64_zero', offset, left))
    return (
      reached.edges
        .map(({ centre, half }, axis) => {
          const apart = code.let('v128', 'apart', op('f64x2.sub', pair(axis * 8), get(centre)))
          const nearest = toNearest('f64x2', apart, boxes[axis])
          return op('f64x2.sub', op('f64x2.sub', op('f64x2.abs', nearest), pair(24 + axis * 8)), get(half))
        })
        // The pseudo-maximum of NaN and another gap stays NaN.
        .reduce((a, b) => op('f64x2.pmax', a, b))
    )
  }
  return {
    all(met, take) {
      const taken = options.stack
      const leaves = code.let('i32', 'leaves', plus(taken, takenBytes))
      const stack = code.let('i32', 'stack', plus(leaves, leavesBytes))
      const [top, leavesEnd] = [code.local('i32', 'top'), code.local('i32', 'leavesEnd')]
      const add = (to: Local, node: Node, counts: Node) =>
        code.emit(at('i32.store', 0, get(to), node), set(to, plus(get(to), times(counts, addressBytes))))
      /** Pushes a node on the stack if it is near. */
      const wait = (node: Node, isNear: Node) => {
        const near = code.let(
          'i32',
          'near',
          op('i32.and', op('i32.and', isNear, isEarly(node)), op('i32.ne', node, met)),
        )
        const leaf = code.let('i32', 'leaf', op('i32.and', near, isLeaf(node)))
        add(leavesEnd, node, leaf)
        add(top, node, op('i32.xor', near, leaf))
      }
      const none = code.constant('f64x2', 0)
      code.emit(set(top, stack), set(leavesEnd, leaves))
      code.if(op('i32.lt_u', nodes, nodesEnd), () => {
        wait(nodes, i32(1))
        code.repeat(() => {
          // The last leaves have the earliest of equal points.
          whileIn(
            code,
            () => op('i32.ne', get(leavesEnd), leaves),
            () => {
              code.emit(set(leavesEnd, op('i32.sub', get(leavesEnd), i32(addressBytes))))
              const leaf = code.let('i32', 'leaf', at('i32.load', 0, get(leavesEnd)))
              code.if(isEarly(leaf), () => take(linkOf(leaf, 'first'), linkOf(leaf, 'last')))
            },
          )
          const waiting = code.let('i32', 'waiting', op('i32.sub', get(top), stack))
          const all = i32(takenBytes)
          const bytes = code.let('i32', 'bytes', op('select', waiting, all, op('i32.lt_u', waiting, all)))
          code.emit(set(top, op('i32.sub', get(top), bytes)))
          for (let offset = 0; offset < takenBytes; offset += 16)
            code.emit(at('v128.store', offset, taken, at('v128.load', offset, get(top))))
          code.for('entry', taken, plus(taken, bytes), addressBytes, (entry) => {
            const [left, right] = childrenOf(code.let('i32', 'node', at('i32.load', 0, entry)))
            // A comparison with NaN is false, so a box that is not finite is never skipped.
            const beyond = code.let('i32', 'beyond', op('i64x2.bitmask', op('f64x2.gt', gaps(left, right), none)))
            wait(right, op('i32.lt_u', beyond, i32(2)))
            wait(left, op('i32.eqz', op('i32.and', beyond, i32(1))))
          })
          return op('i32.or', op('i32.ne', get(top), stack), op('i32.ne', get(leavesEnd), leaves))
        })
      })
    },
    first(take) {
      const node = code.local('i32', 'node')
      code.if(op('i32.lt_u', nodes, nodesEnd), () => {
        code.emit(set(node, nodes))
        whileIn(
          code,
          () => op('i32.eqz', isLeaf(get(node))),
          () => {
            const [left, right] = childrenOf(get(node))
            const both = code.let('v128', 'gaps', gaps(left, right))
            const [toLeft, toRight] = [0, 1].map((lane) => laned('f64x2.extract_lane', [lane], both)) as [Node, Node]
            code.emit(set(node, op('select', left, right, op('f64.le', toLeft, toRight))))
          },
        )
        take(linkOf(get(node), 'first'), linkOf(get(node), 'last'))
      })
    },
  }
}
