/**
 * The walk for sums with a tolerance, inside the module. It does the same as `walkOpening` of `@manybody/core/backend`.
 *
 * What it needs of a node besides the box is in a table of *openings*: `f64 x, y, z` of the centre of weight, `f64` the square of
 * the distance from which on the node is far, then `u32` its first proxy, or -1 if it has none.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'

/** Bytes of an opening, and the places of its numbers. */
export const openingBytes = 40
export const openingNumbers: { readonly far2: number; readonly proxy: number } = { far2: 24, proxy: 32 }

/** What the walk finds. */
export interface OpeningFound {
  /** Places of sources. */
  readonly take: (from: Node, to: Node) => void
  /** The number of the first proxy of a far node. */
  readonly takeProxies: (first: Node) => void
}

/** Writes the walk for the box at an address. */
export function openingWalk(
  f: FunctionBuilder,
  block: Node,
  { writer, dimension }: { readonly writer: ModuleWriter; readonly dimension: number },
): (box: Node, found: OpeningFound) => void {
  const [nodes, nodesEnd, openings] = ['nodes', 'nodesEnd', 'openings'].map((name) => writer.slot(f, block, name)) as [
    Node,
    Node,
    Node,
  ]
  const axes = [0, 8, 16].slice(0, dimension)
  const [node, opening] = [f.local('i32', 'node'), f.local('i32', 'opening')]
  const zero: Node = { kind: 'constant', type: 'f64', value: 0 }
  return (box, { take, takeProxies }) => {
    const target = axes.map((offset) => ({
      offset,
      centre: f.let('f64', 'centre', at('f64.load', offset, box)),
      half: f.let('f64', 'half', at('f64.load', 24 + offset, box)),
    }))
    /** The square of the gap between a place and the box. */
    const gap2 = (address: Node) =>
      target
        .map(({ offset, centre, half }) => {
          const apart = op('f64.abs', op('f64.sub', at('f64.load', offset, address), centre))
          const gap = f.let('f64', 'gap', op('f64.max', op('f64.sub', apart, half), zero))
          return op('f64.mul', gap, gap)
        })
        .reduce((a, b) => op('f64.add', a, b))
    f.emit(set(node, nodes), set(opening, openings))
    f.if(op('i32.lt_u', get(node), nodesEnd), () =>
      f.repeat(() => {
        const near = f.let('f64', 'near', op('f64.min', gap2(get(node)), gap2(get(opening))))
        // A comparison with NaN is false, so a node that is not finite is opened.
        const far = f.let('i32', 'far', op('f64.gt', near, at('f64.load', openingNumbers.far2, get(opening))))
        const skip = f.let('i32', 'skip', at('i32.load', nodeLinks.skip, get(node)))
        const proxy = f.let('i32', 'proxy', at('i32.load', openingNumbers.proxy, get(opening)))
        const skipped = f.let('i32', 'skipped', plus(nodes, times(skip, nodeBytes)))
        const next = f.let('i32', 'next', plus(get(node), nodeBytes))
        f.if(
          op('i32.and', far, op('i32.ne', proxy, i32(-1))),
          () => takeProxies(proxy),
          () =>
            f.if(op('i32.or', far, op('i32.eq', skipped, next)), () =>
              take(at('i32.load', nodeLinks.first, get(node)), at('i32.load', nodeLinks.last, get(node))),
            ),
        )
        f.emit(
          set(opening, op('select', plus(openings, times(skip, openingBytes)), plus(get(opening), openingBytes), far)),
          set(node, op('select', skipped, next, far)),
        )
        return op('i32.lt_u', get(node), nodesEnd)
      }),
    )
  }
}
