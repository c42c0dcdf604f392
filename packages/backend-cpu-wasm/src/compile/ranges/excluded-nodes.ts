/**
 * The nodes of the sources' tree that contain a source which is excluded for any target of a group. A walk opens such nodes
 * however far they are. The set has one bit for each node.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/near'
import { nodesPerWord } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, type Callable, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'

/** The word of a node in the set at an address. */
const wordOf = (nodes: Node, number: Node): Node => plus(nodes, times(op('i32.shr_u', number, i32(5)), 4))

/** Whether a set contains the node with this number: 1 or 0. */
export const isInSet = (nodes: Node, number: Node): Node =>
  op('i32.and', op('i32.shr_u', at('i32.load', 0, wordOf(nodes, number)), number), i32(1))

/** Adds `excludedNodes(block, first, last, found)`, which writes the set for the targets of the places `first ... last - 1`. */
export function defineExcludedNodes(writer: ModuleWriter): Callable {
  const parameters = integers('block', 'first', 'last', 'found')
  return writer.module.define('excludedNodes', parameters, undefined, (code, { block, first, last, found }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, order, places] = [slot('nodes'), slot('targetOrder'), slot('sourcePlaces')]
    const treeBytes = op('i32.sub', slot('nodesEnd'), nodes)
    const [offsets, excluded] = [slot('exclusionOffsets'), slot('exclusionSources')]
    const number = code.local('i32', 'node')
    const linkOf = (name: keyof typeof nodeLinks, node: Node) =>
      at('i32.load', nodeLinks[name], plus(nodes, times(node, nodeBytes)))
    const words = op('i32.div_u', plus(treeBytes, nodesPerWord * nodeBytes - 1), i32(nodesPerWord * nodeBytes))
    code.emit(op('memory.fill', found, i32(0), times(words, 4)))
    code.for('target', first, last, 1, (target) => {
      const point = code.let('i32', 'point', at('i32.load', 0, plus(order, times(target, 4))))
      const list = code.let('i32', 'run', plus(offsets, times(point, 4)))
      code.for('entry', at('i32.load', 0, list), at('i32.load', 4, list), 1, (entry) => {
        const source = at('i32.load', 0, plus(excluded, times(entry, 4)))
        const place = code.let('i32', 'place', at('i32.load', 0, plus(places, times(source, 4))))
        code.emit(set(number, i32(0)))
        // Adds the nodes from the root down to the block.
        code.repeat(() => {
          const word = code.let('i32', 'word', wordOf(found, get(number)))
          const bit = op('i32.shl', i32(1), get(number))
          code.emit(at('i32.store', 0, word, op('i32.or', at('i32.load', 0, word), bit)))
          const child = code.let('i32', 'child', plus(get(number), 1))
          const inner = code.let('i32', 'inner', op('i32.ne', linkOf('skip', get(number)), child))
          code.if(inner, () => {
            const inFirst = op('i32.lt_u', place, linkOf('last', child))
            code.emit(set(number, op('select', child, linkOf('skip', child), inFirst)))
          })
          return inner
        })
      })
    })
  })
}
