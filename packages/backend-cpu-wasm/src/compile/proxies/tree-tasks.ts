/**
 * The parts of a tree that threads share, as phases over nodes see them: the tasks that put points in order
 * (`order-layout.ts`). Each task has the root of a part.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { taskBytes } from '../../design/order-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'

/** A node is given by its distance from the first node, in bytes. */
export interface TreeTasks {
  /** Number of tasks above the last level. */
  readonly above: (code: FunctionBuilder) => Node
  /** The node after the subtree of a node, where a walk goes on. */
  readonly skipOf: (code: FunctionBuilder, offset: Node) => Node
  /** Runs code for a task if it has a node. */
  readonly forTask: (code: FunctionBuilder, number: Node, visit: (code: FunctionBuilder, root: Node) => void) => void
}

/** @param side the side that the tasks put in order */
export function treeTasks(writer: ModuleWriter, code: FunctionBuilder, block: Node, side: string): TreeTasks {
  const slot = (name: string) => writer.slot(code, block, name)
  const [nodes, tasks, lastTasks] = [slot('nodes'), slot(`${side}Tasks`), slot(`${side}LastTasks`)]
  return {
    above: (code) => value(code)`(${lastTasks} - ${tasks}) / ${taskBytes}`,
    skipOf: (code, offset) => value(code)`i32[${nodes} + ${offset} + ${nodeLinks.skip}] * ${nodeBytes}`,
    forTask: (code, number, visit) => write(code)`
      let task = ${tasks} + ${number} * ${taskBytes}
      if i32[task] != i32[task + 4] {
        let root = i32[task + 8] * ${nodeBytes}
        ${visit}(root)
      }`,
  }
}
