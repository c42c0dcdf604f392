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

import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { mostDeep } from '../../design/order-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Local, laneAt, type Node, op } from '../wasm/nodes.ts'
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
  /** Nodes without an earlier point are skipped, too. It may shrink during the walk. */
  readonly latest: Local
}

/** Takes the places of a node. */
type Take = (code: FunctionBuilder, from: Node, to: Node) => void

export interface NearestWalk {
  /** Writes a walk that skips the node at the address `met`. `take` gets the places of each node that it finds. */
  readonly all: (code: FunctionBuilder, met: Node, take: Take) => void
  /** Writes the way to one node near the centre. `take` gets its places. */
  readonly first: (code: FunctionBuilder, take: Take) => void
}

export function nearestWalk(code: FunctionBuilder, block: Node, options: NearestWalkOptions): NearestWalk {
  const { writer, dimension, periodic, leafPoints, reached, latest } = options
  const slot = (name: string) => writer.slot(code, block, name)
  const [nodes, nodesEnd, walk] = [slot('nodes'), slot('nodesEnd'), slot('walk')]
  const boxes = Array.from({ length: periodic ? dimension : 0 }, (_, axis) =>
    aroundOf(walk, axis, (x) => code.let('v128', 'around', op('f64x2.splat', x))),
  )
  const images = (_: FunctionBuilder, apart: Node, axis: number) => toNearest('f64x2', apart, boxes[axis])
  /** A number of two nodes, one in each lane. */
  const pair = (_: FunctionBuilder, left: Node, right: Node, axis: number, offset: number) =>
    laneAt('v128.load64_lane', 8 * axis + offset, 1, right, at('v128.load64_zero', 8 * axis + offset, left))
  const centres = reached.edges.map(({ centre }) => centre)
  const halves = reached.edges.map(({ half }) => half)

  /** The largest gap to each of two nodes along any axis. A gap to a box that is not finite is NaN. */
  const gaps = (code: FunctionBuilder, left: Node, right: Node): Node => value(code)`
    const centre: f64x2 = ${centres}
    const half: f64x2 = ${halves}
    const pair: f64x2 = ${pair}
    const image: f64x2 = ${images}
    unroll axis of 0..${dimension} { let apart[axis] = pair(${left}, ${right}, axis, 0) - centre[axis] }
    // The pseudo-maximum of NaN and another gap stays NaN.
    pmax(axis of 0..${dimension}: abs(image(apart[axis], axis)) - pair(${left}, ${right}, axis, 24) - half[axis])`

  return {
    all(code, met, take) {
      /** Pushes a node on the stack if it is near, or adds it to the leaves. Both ends are variables. */
      const wait = (code: FunctionBuilder, node: Node, isNear: Node, top: Node, leavesEnd: Node) => write(code)`
        let near = ${isNear} & (i32[${node} + ${nodeLinks.lowest}] < ${latest}) & (${node} != ${met})
        let leaf = near & (i32[${node} + ${nodeLinks.last}] - i32[${node} + ${nodeLinks.first}] <= ${leafPoints})
        i32[${leavesEnd}] = ${node}
        ${leavesEnd} += leaf * ${addressBytes}
        i32[${top}] = ${node}
        ${top} += (near ^ leaf) * ${addressBytes}`
      write(code)`
        const taken = ${options.stack}
        let leaves = taken + ${takenBytes}
        let stack = leaves + ${leavesBytes}
        var top = stack
        var leavesEnd = leaves
        if ${nodes} as i32 < ${nodesEnd} {
          ${wait}(${nodes}, 1, top, leavesEnd)
          do {
            // The last leaves have the earliest of equal points.
            while leavesEnd != leaves {
              leavesEnd -= ${addressBytes}
              let leaf = i32[leavesEnd]
              if i32[leaf + ${nodeLinks.lowest}] < ${latest} {
                ${take}(i32[leaf + ${nodeLinks.first}], i32[leaf + ${nodeLinks.last}])
              }
            }
            let bytes = min(top - stack, ${takenBytes})
            top -= bytes
            unroll n of 0..${takenBytes / 16} { v128[taken + 16 * n] = v128[top + 16 * n] }
            for entry in taken..taken + bytes step ${addressBytes} {
              let left = i32[entry] + ${nodeBytes}
              let right = ${nodes} + i32[left + ${nodeLinks.skip}] * ${nodeBytes}
              // A comparison with NaN is false, so a box that is not finite is never skipped.
              let beyond = i64x2.bitmask(${gaps}(left, right) as f64x2 > 0)
              ${wait}(right, beyond < 2, top, leavesEnd)
              ${wait}(left, !(beyond & 1), top, leavesEnd)
            }
          } while top != stack || leavesEnd != leaves
        }`
    },
    first: (code, take) => write(code)`
      if ${nodes} as i32 < ${nodesEnd} {
        var node = ${nodes}
        while !(i32[node + ${nodeLinks.last}] - i32[node + ${nodeLinks.first}] <= ${leafPoints}) {
          let left = node + ${nodeBytes}
          let right = ${nodes} + i32[left + ${nodeLinks.skip}] * ${nodeBytes}
          let both = ${gaps}(left, right) as f64x2
          node = lane(both, 0) <= lane(both, 1) ? left : right
        }
        ${take}(i32[node + ${nodeLinks.first}], i32[node + ${nodeLinks.last}])
      }`,
  }
}
