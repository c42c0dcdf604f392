/**
 * The nodes of the sources' tree that contain a source which is excluded for any target of a group. A walk opens such nodes
 * however far they are. The set has one bit for each node.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { nodesPerWord } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define, value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Callable, Node } from '../wasm/nodes.ts'

/** Writes code that tells whether a set contains the node with a number: 1 or 0. */
export function isInSet(nodes: Node): (code: FunctionBuilder, number: Node) => Node {
  return (code, number) => value(code)`
    let number = ${number}
    i32[${nodes} + (number >> 5) * 4] >> number & 1`
}

/** Adds `excludedNodes(block, first, last, found)`, which writes the set for the targets of the places `first ... last - 1`. */
export function defineExcludedNodes(writer: ModuleWriter): Callable {
  const slot = (name: string) => writer.offset(name)
  return define(writer.module)`
    fn excludedNodes(block, first, last, found) {
      let nodes = i32[block + ${slot('nodes')}]
      let order = i32[block + ${slot('targetOrder')}]
      let places = i32[block + ${slot('sourcePlaces')}]
      let nodesEnd = i32[block + ${slot('nodesEnd')}]
      let offsets = i32[block + ${slot('exclusionOffsets')}]
      let sources = i32[block + ${slot('exclusionSources')}]
      let words = (nodesEnd - nodes + ${nodesPerWord * nodeBytes - 1}) / ${nodesPerWord * nodeBytes}
      memory.fill(found, 0, words * 4)
      for target in first..last {
        let run = offsets + i32[order + target * 4] * 4
        for entry in i32[run]..i32[run + 4] {
          let source = i32[sources + entry * 4]
          let place = i32[places + source * 4]
          var node = 0
          var inner = 0
          // Adds the nodes from the root down to the block.
          do {
            let word = found + (node >> 5) * 4
            i32[word] |= 1 << node
            let child = node + 1
            inner = i32[nodes + node * ${nodeBytes} + ${nodeLinks.skip}] != child
            if inner {
              let link = nodes + child * ${nodeBytes}
              node = place < i32[link + ${nodeLinks.last}] ? child : i32[link + ${nodeLinks.skip}]
            }
          } while inner
        }
      }
    }`
}
