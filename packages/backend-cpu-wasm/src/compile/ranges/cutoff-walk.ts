/**
 * The walk over the blocks within reach of a box, inside the module. It does the same as `walkWithin` of
 * `@manybody/core/backend`, but passes on small nodes without opening them.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/near'
import { walkNumbers } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
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
  /** Whether to skip the node with these places, because its pairs have been met. */
  readonly isMet?: ((from: Node, to: Node) => Node) | undefined
}

/** Receives the sources that a walk finds. */
interface Found {
  /** Takes the places of sources that may be within the cutoff. */
  readonly take: (from: Node, to: Node) => void
  /** Takes a number of sources that are all within the cutoff of all targets. */
  readonly whole: (sources: Node) => void
}

/** Writes the walk for the box at an address. Its targets have the places `first ... last - 1`. */
export type CutoffWalk = (box: Node, first: Node, last: Node, found: Found) => void

/** The axes in two registers: x and y, then z with 0. */
const pairsOf = (dimension: number) =>
  [{ load: 'v128.load', offset: 0 } as const, { load: 'v128.load64_zero', offset: 16 } as const].slice(0, dimension - 1)

export function cutoffWalk(code: FunctionBuilder, block: Node, options: CutoffWalkOptions): CutoffWalk {
  const { writer, dimension, periodic, leafPoints, wholes, skipSelf, isMet } = options
  const slot = (name: string) => writer.slot(code, block, name)
  const [nodes, nodesEnd, walk] = [slot('nodes'), slot('nodesEnd'), slot('walk')]
  const used = pairsOf(dimension)
  const named = (name: keyof typeof walkNumbers) => code.let('f64', name, at('f64.load', walkNumbers[name], walk))
  const reach2 = named('reach2')
  const boxes = periodic
    ? used.map(({ load, offset }) => ({
        length: code.let('v128', 'lengths', at(load, walkNumbers.lengths + offset, walk)),
        share: code.let('v128', 'shares', at(load, walkNumbers.shares + offset, walk)),
      }))
    : []
  const within2 = wholes ? named('within2') : undefined
  const node = code.local('i32', 'node')
  const zero = code.constant('f64x2', 0)
  /** The sum of the squares along all axes. */
  const length2 = (along: readonly Node[]) => {
    const squares = code.let(
      'v128',
      'squares',
      along.map((x) => op('f64x2.mul', x, x)).reduce((a, b) => op('f64x2.add', a, b)),
    )
    return op('f64.add', laned('f64x2.extract_lane', [0], squares), laned('f64x2.extract_lane', [1], squares))
  }
  return (box, first, last, { take, whole }) => {
    const target = used.map(({ load, offset }) => ({
      centre: code.let('v128', 'centre', at(load, offset, box)),
      half: code.let('v128', 'half', at(load, 24 + offset, box)),
    }))
    code.emit(set(node, nodes))
    code.if(op('i32.lt_u', get(node), nodesEnd), () =>
      code.repeat(() => {
        const along = used.map(({ load, offset }, n) => {
          const { centre, half } = target[n] as (typeof target)[number]
          const apart = code.let('v128', 'apart', op('f64x2.sub', at(load, offset, get(node)), centre))
          const nearest = code.let('v128', 'nearest', op('f64x2.abs', toNearest('f64x2', apart, boxes[n])))
          return {
            nearest,
            halves: code.let('v128', 'halves', op('f64x2.add', at(load, 24 + offset, get(node)), half)),
          }
        })
        // A NaN gap stays NaN: the pseudo-maximum keeps its first operand.
        const gap2 = length2(
          along.map(({ nearest, halves }) =>
            code.let('v128', 'gap', op('f64x2.pmax', op('f64x2.sub', nearest, halves), zero)),
          ),
        )
        const next = code.let('i32', 'next', plus(get(node), nodeBytes))
        const skip = code.let('i32', 'skip', plus(nodes, times(at('i32.load', nodeLinks.skip, get(node)), nodeBytes)))
        const from = code.let('i32', 'from', at('i32.load', nodeLinks.first, get(node)))
        const to = code.let('i32', 'to', at('i32.load', nodeLinks.last, get(node)))
        const open = () =>
          code.if(
            op('i32.le_u', op('i32.sub', to, from), i32(leafPoints)),
            () => {
              take(from, to)
              code.emit(set(node, skip))
            },
            () => code.emit(set(node, next)),
          )
        const within = () => {
          if (!within2) return open()
          const far2 = length2(
            along.map(({ nearest, halves }) => code.let('v128', 'far', op('f64x2.add', nearest, halves))),
          )
          const inside = op('f64.le', far2, within2)
          // A node that contains one of the targets is opened, because a point does not count itself.
          const other = op('i32.or', op('i32.ge_u', from, last), op('i32.ge_u', first, to))
          code.if(
            skipSelf ? op('i32.and', inside, other) : inside,
            () => {
              whole(op('i32.sub', to, from))
              code.emit(set(node, skip))
            },
            open,
          )
        }
        // A gap is NaN if a box is not finite. Comparing it is false, so such a box is never skipped.
        const beyond = op('f64.gt', gap2, reach2)
        code.if(isMet ? op('i32.or', beyond, isMet(from, to)) : beyond, () => code.emit(set(node, skip)), within)
        return op('i32.lt_u', get(node), nodesEnd)
      }),
    )
  }
}
