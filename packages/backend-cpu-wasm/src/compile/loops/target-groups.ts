/**
 * Groups of blocks of targets that walk together: the largest nodes of the targets' tree that lie inside a unit and are small
 * enough.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/near'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'

/** A node of the targets' tree: its address, its places, and its blocks if it is a group. */
interface TargetNode {
  readonly node: Node
  readonly place: Node
  readonly end: Node
}

export interface TargetGroup extends TargetNode {
  readonly firstBlock: Node
  readonly endBlock: Node
}

interface Visits {
  /** Visits each node on the way to a group before the group, with whether it lies inside the unit. */
  readonly node?: (node: TargetNode, inside: Node) => void
  readonly group: (group: TargetGroup) => void
}

/**
 * Writes the loop over the groups of at most `mostBlocks` blocks with the places `from ... to - 1`, in their order. `nodes` is the
 * address of the tree.
 */
export function eachGroup(
  code: FunctionBuilder,
  {
    nodes,
    from,
    to,
    mostBlocks,
  }: { readonly [Name in 'nodes' | 'from' | 'to']: Node } & { readonly mostBlocks: number },
  visits: Visits,
): void {
  const [node, going] = [code.local('i32', 'group'), code.local('i32', 'going')]
  code.emit(set(node, nodes))
  code.if(op('i32.lt_u', from, to), () =>
    code.repeat(() => {
      const place = code.let('i32', 'placeFrom', at('i32.load', nodeLinks.first, get(node)))
      const end = code.let('i32', 'placeTo', at('i32.load', nodeLinks.last, get(node)))
      const skip = code.let('i32', 'skipTo', plus(nodes, times(at('i32.load', nodeLinks.skip, get(node)), nodeBytes)))
      const small = op('i32.le_u', op('i32.sub', end, place), i32(mostBlocks * blockPoints))
      const inside = op('i32.and', op('i32.ge_u', place, from), op('i32.le_u', end, to))
      const found = { node: get(node), place, end }
      visits.node?.(found, inside)
      code.if(
        op('i32.and', inside, small),
        () => {
          visits.group({
            ...found,
            firstBlock: code.let('i32', 'firstBlock', op('i32.div_u', place, i32(blockPoints))),
            endBlock: code.let('i32', 'endBlock', op('i32.div_u', plus(end, blockPoints - 1), i32(blockPoints))),
          })
          code.emit(set(node, skip), set(going, op('i32.lt_u', end, to)))
        },
        () =>
          code.emit(
            set(node, op('select', skip, plus(get(node), nodeBytes), op('i32.le_u', end, from))),
            set(going, i32(1)),
          ),
      )
      return get(going)
    }),
  )
}
