/**
 * The walk for sums with a tolerance, inside the module. It does the same as `walkOpening` of `@manybody/core/backend`.
 *
 * It reads the openings of nodes, each in a line of memory, and reads nodes only where sources are taken directly.
 *
 * @module
 */
import { nodeLinks } from '@manybody/core/backend'
import { openingBytes, openingNumbers, schemeNumbers } from '../../design/proxy-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i32, type Node } from '../wasm/nodes.ts'
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
  const toNode = code.let('i32', 'toNode', value(code)`${nodes} - ${openings}`)
  const end = code.let('i32', 'openingsEnd', value(code)`${nodesEnd} - ${toNode}`)
  const scale = code.let('f64', 'scale', at('f64.load', schemeNumbers.scale, writer.slot(code, block, 'scheme')))
  const isExcluded = opens ? isInSet(opens) : () => i32(0)
  return (box, found) => {
    const take = (_: FunctionBuilder, from: Node, to: Node, excluded: Node) => found.take(from, to, excluded)
    const takeProxies = (_: FunctionBuilder, first: Node) => found.takeProxies(first)
    write(code)`
      const box = ${box}
      unroll axis of 0..${dimension} {
        let centre[axis] = v128.load64_splat[box + 8 * axis] as f64x2
        let half[axis] = v128.load64_splat[box + 24 + 8 * axis] as f64x2
      }
      const scale = ${scale} as f64
      // A group of another set has no field of its own.
      const own = f64(f32[box + ${nodeLinks.field}]) * scale
      let field = ${sameSet} ? f64x2.replace_lane(f64x2(scale), 0, own) : f64x2(scale)
      var opening = ${openings}
      while opening < ${end} {
        // One lane has the centre of the box, and the other the centre of the weight.
        unroll axis of 0..${dimension} {
          const apart = v128[opening + ${openingNumbers.axis} * axis] as f64x2 - centre[axis]
          let gap[axis] = max(abs(apart) - half[axis], 0)
        }
        let gaps = sum(axis of 0..${dimension}: gap[axis] * gap[axis])
        const nearest = min(lane(gaps, 0), lane(gaps, 1))
        const reach = f64x2.promote_low_f32x4(v128.load64_zero[opening + ${openingNumbers.reach}])
        // A comparison with NaN is false, so a node that is not finite is opened.
        const beyond = i64x2.all_true(f64x2(nearest) * field > reach)
        let excluded: i32 = ${isExcluded}((opening - ${openings}) / ${openingBytes})
        let far = ${opens !== undefined} ? beyond > excluded : beyond
        let skip = i32[opening + ${openingNumbers.skip}]
        if far | (skip == ${openingBytes}) {
          let proxy = i32[opening + ${openingNumbers.proxy}]
          if far && proxy != -1 { ${takeProxies}(proxy) } else {
            let node = opening + ${toNode}
            ${take}(i32[node + ${nodeLinks.first}], i32[node + ${nodeLinks.last}], excluded)
          }
        }
        opening += far ? skip : ${openingBytes}
      }`
  }
}
