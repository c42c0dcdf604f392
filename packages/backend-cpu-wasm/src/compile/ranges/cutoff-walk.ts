/**
 * The walk over the blocks within reach of a box, inside the module. It does the same as `walkWithin` of
 * `@manybody/core/backend`, but passes on small nodes without opening them.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { walkNumbers } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Local, type Node } from '../wasm/nodes.ts'
import { partsOf } from './order-records.ts'
import { toNearest } from './walk.ts'

export interface CutoffWalkOptions {
  readonly writer: ModuleWriter
  readonly dimension: number
  readonly periodic: boolean
  /** Nodes with at most this many points are not opened. */
  readonly leafPoints: number
  /** Whether nodes go to `whole` if all of their sources count. */
  readonly wholes: boolean
  /** Whether a point does not count itself. */
  readonly skipSelf: boolean
  /** How far the targets reach besides the size of a node; undefined if all pairs reach equally far. */
  readonly own?: Local | undefined
  /** Whether to skip the node with these places, because its pairs have been met. */
  readonly isMet?: ((code: FunctionBuilder, from: Node, to: Node) => Node) | undefined
}

/** Receives the sources that a walk finds. */
interface Found {
  /** Takes the places of sources that may be within the cutoff. */
  readonly take: (code: FunctionBuilder, from: Node, to: Node) => void
  /** Takes a number of sources that are all within the cutoff of all targets. */
  readonly whole: (code: FunctionBuilder, sources: Node) => void
}

/** Writes the walk for the box at an address. Its targets have the places `first ... last - 1`. */
export type CutoffWalk = (code: FunctionBuilder, box: Node, first: Node, last: Node, found: Found) => void

/** Loads x and y, or z with 0. */
const load = (_: FunctionBuilder, part: number, address: Node, offset: number): Node =>
  at(part === 0 ? 'v128.load' : 'v128.load64_zero', 16 * part + offset, address)

export function cutoffWalk(code: FunctionBuilder, block: Node, options: CutoffWalkOptions): CutoffWalk {
  const { writer, dimension, periodic, leafPoints, wholes, skipSelf, own, isMet } = options
  const slot = (name: string) => writer.slot(code, block, name)
  const [nodes, nodesEnd, walk] = [slot('nodes'), slot('nodesEnd'), slot('walk')]
  const parts = partsOf(dimension).length
  const named = (name: keyof typeof walkNumbers) => code.let('f64', name, at('f64.load', walkNumbers[name], walk))
  const reach2 = named(own ? 'filter' : 'reach2')
  const boxes = Array.from({ length: periodic ? parts : 0 }, (_, part) => ({
    length: code.let('v128', 'lengths', load(code, part, walk, walkNumbers.lengths)),
    share: code.let('v128', 'shares', load(code, part, walk, walkNumbers.shares)),
  }))
  const within2 = wholes ? named('within2') : reach2
  const image = (_: FunctionBuilder, apart: Node, part: number) => toNearest('f64x2', apart, boxes[part])
  /** The square of how far the targets may reach to the sources of a node. */
  const squareOf = (code: FunctionBuilder, node: Node): Node =>
    own
      ? value(code)`
          let pair = ${own} as f64 + f64(f32[${node} + ${nodeLinks.size}])
          let reach = pair < ${reach2} ? pair : ${reach2}
          reach * reach`
      : reach2
  const skips = (code: FunctionBuilder, beyond: Node, from: Node, to: Node) =>
    isMet ? value(code)`${beyond} | ${isMet}(${from}, ${to})` : beyond
  return (code, box, first, last, { take, whole }) => {
    const open = (code: FunctionBuilder, node: Node, from: Node, to: Node, skip: Node) => write(code)`
      if ${to} - ${from} <= ${leafPoints} {
        ${take}(${from}, ${to})
        ${node} = ${skip}
      } else { ${node} += ${nodeBytes} }`
    write(code)`
      const parts = ${parts}
      const load: f64x2 = ${load}
      const image: f64x2 = ${image}
      unroll part of 0..parts {
        let centre[part] = load(part, ${box}, 0)
        let half[part] = load(part, ${box}, 24)
      }
      var node = ${nodes}
      while node < ${nodesEnd} {
        unroll part of 0..parts {
          let apart = load(part, node, 0) - centre[part]
          let nearest[part] = abs(image(apart, part))
          let halves[part] = load(part, node, 24) + half[part]
          // A NaN gap stays NaN: the pseudo-maximum keeps its first operand.
          let gap[part] = pmax(nearest[part] - halves[part], 0)
        }
        let gaps = sum(part of 0..parts: gap[part] * gap[part])
        let skip = ${nodes} + i32[node + ${nodeLinks.skip}] * ${nodeBytes}
        let from = i32[node + ${nodeLinks.first}]
        let to = i32[node + ${nodeLinks.last}]
        // A gap is NaN if a box is not finite. Comparing it is false, so such a box is never skipped.
        const within: f64 = ${squareOf}(node)
        const beyond = lane(gaps, 0) + lane(gaps, 1) > within
        if ${skips}(beyond, from, to) { node = skip } else if ${wholes} {
          unroll part of 0..parts { let far[part] = nearest[part] + halves[part] }
          let fars = sum(part of 0..parts: far[part] * far[part])
          const inside = lane(fars, 0) + lane(fars, 1) <= ${within2}
          // A node that contains one of the targets is opened, because a point does not count itself.
          const other = from >= ${last} || ${first} >= to
          if (${skipSelf} ? inside && other : inside) {
            ${whole}(to - from)
            node = skip
          } else { ${open}(node, from, to, skip) }
        } else { ${open}(node, from, to, skip) }
      }`
  }
}
