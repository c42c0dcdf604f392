/**
 * Groups of blocks of targets that walk together: the largest nodes of the targets' tree that lie inside a unit and are small
 * enough.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/backend'
import { write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'

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
  const visit = (_: FunctionBuilder, node: Node, place: Node, end: Node, inside: Node) =>
    visits.node?.({ node, place, end }, inside)
  const group = (_: FunctionBuilder, node: Node, place: Node, end: Node, firstBlock: Node, endBlock: Node) =>
    visits.group({ node, place, end, firstBlock, endBlock })
  write(code)`
    var group: i32
    var going: i32
    group = ${nodes}
    if ${from} as i32 < ${to} {
      do {
        let place = i32[group + ${nodeLinks.first}]
        let end = i32[group + ${nodeLinks.last}]
        let skip = ${nodes} + i32[group + ${nodeLinks.skip}] * ${nodeBytes}
        const small = end - place <= ${mostBlocks * blockPoints}
        const inside = place >= ${from} && end <= ${to}
        ${visit}(group, place, end, inside)
        if inside && small {
          let firstBlock = place / ${blockPoints}
          let endBlock = (end + ${blockPoints - 1}) / ${blockPoints}
          ${group}(group, place, end, firstBlock, endBlock)
          group = skip
          going = end < ${to}
        } else {
          group = end <= ${from} ? skip : group + ${nodeBytes}
          going = 1
        }
      } while going
    }`
}
