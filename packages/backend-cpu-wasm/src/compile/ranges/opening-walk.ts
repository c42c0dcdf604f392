/**
 * The walk for sums with a tolerance, inside the module. It does the same as `walkOpening` of `@manybody/core/backend`.
 *
 * It reads the openings of nodes, each in a line of memory, and reads nodes only where sources are taken directly.
 *
 * @module
 */
import { nodeLinks } from '@manybody/core/near'
import { openingBytes, openingNumbers, schemeNumbers } from '../../design/proxy-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, laned, type Node, op, plus, set } from '../wasm/nodes.ts'
import { isInSet } from './excluded-nodes.ts'

/** Receives the sources and proxies that the walk finds. */
export interface OpeningFound {
  /** Takes places of sources, and whether any of them is excluded for a target. */
  readonly take: (from: Node, to: Node, excluded: Node) => void
  /** Takes the number of the first proxy of a far node. */
  readonly takeProxies: (first: Node) => void
}

/** Writes the walk for the box at an address. */
export function openingWalk(
  code: FunctionBuilder,
  block: Node,
  {
    writer,
    dimension,
    sameSet,
    opens,
  }: {
    readonly writer: ModuleWriter
    readonly dimension: number
    readonly sameSet: boolean
    /** The address of the set of nodes that are never far, because they contain an excluded source. */
    readonly opens?: Node | undefined
  },
): (box: Node, found: OpeningFound) => void {
  const [nodes, nodesEnd, openings] = ['nodes', 'nodesEnd', 'openings'].map((name) =>
    writer.slot(code, block, name),
  ) as [Node, Node, Node]
  const toNode = code.let('i32', 'toNode', op('i32.sub', nodes, openings))
  const end = code.let('i32', 'openingsEnd', op('i32.sub', nodesEnd, toNode))
  const scale = code.let('f64', 'scale', at('f64.load', schemeNumbers.scale, writer.slot(code, block, 'scheme')))
  const axes = [0, 1, 2].slice(0, dimension)
  const opening = code.local('i32', 'opening')
  const zero = code.constant('f64x2', 0)
  return (box, { take, takeProxies }) => {
    const target = axes.map((axis) => ({
      centre: code.let('v128', 'centre', at('v128.load64_splat', 8 * axis, box)),
      half: code.let('v128', 'half', at('v128.load64_splat', 24 + 8 * axis, box)),
    }))
    // A group of another set has no field of its own.
    const own = op('f64.mul', op('f64.promote_f32', at('f32.load', nodeLinks.field, box)), scale)
    const scales = op('f64x2.splat', scale)
    const field = code.let('v128', 'field', sameSet ? laned('f64x2.replace_lane', [0], scales, own) : scales)
    code.emit(set(opening, openings))
    code.if(op('i32.lt_u', get(opening), end), () =>
      code.repeat(() => {
        // One lane has the centre of the box, and the other the centre of the weight.
        const squares = target.map(({ centre, half }, axis) => {
          const apart = op('f64x2.sub', at('v128.load', openingNumbers.axis * axis, get(opening)), centre)
          const gap = op('f64x2.max', op('f64x2.sub', op('f64x2.abs', apart), half), zero)
          const gap2 = code.let('v128', 'gap', gap)
          return op('f64x2.mul', gap2, gap2)
        })
        const gaps = code.let(
          'v128',
          'gaps',
          squares.reduce((a, b) => op('f64x2.add', a, b)),
        )
        const [own, weight] = [0, 1].map((lane) => laned('f64x2.extract_lane', [lane], gaps)) as [Node, Node]
        // A comparison with NaN is false, so a node that is not finite is opened.
        const nearest = op('f64.min', own, weight)
        const reach = op('f64x2.promote_low_f32x4', at('v128.load64_zero', openingNumbers.reach, get(opening)))
        const beyond = op('f64x2.gt', op('f64x2.mul', op('f64x2.splat', nearest), field), reach)
        const number = op('i32.div_u', op('i32.sub', get(opening), openings), i32(openingBytes))
        const excluded = opens ? code.let('i32', 'excluded', isInSet(opens, code.let('i32', 'number', number))) : i32(0)
        const apart = op('i64x2.all_true', beyond)
        const far = code.let('i32', 'far', opens ? op('i32.gt_u', apart, excluded) : apart)
        const skip = code.let('i32', 'skip', at('i32.load', openingNumbers.skip, get(opening)))
        const leaf = op('i32.eq', skip, i32(openingBytes))
        code.if(op('i32.or', far, leaf), () => {
          const proxy = code.let('i32', 'proxy', at('i32.load', openingNumbers.proxy, get(opening)))
          code.if(
            op('i32.and', far, op('i32.ne', proxy, i32(-1))),
            () => takeProxies(proxy),
            () => {
              const node = code.let('i32', 'node', plus(get(opening), toNode))
              take(at('i32.load', nodeLinks.first, node), at('i32.load', nodeLinks.last, node), excluded)
            },
          )
        })
        code.emit(set(opening, plus(get(opening), op('select', skip, i32(openingBytes), far))))
        return op('i32.lt_u', get(opening), end)
      }),
    )
  }
}
