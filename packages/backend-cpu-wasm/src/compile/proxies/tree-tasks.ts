/**
 * The parts of a tree that threads share, as phases over nodes see them: the tasks that put points in order
 * (`order-layout.ts`). Each task has the root of a part.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/near'
import { taskBytes } from '../../design/order-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i32, type Node, op, plus, times } from '../wasm/nodes.ts'

/** A node is given by its distance from the first node, in bytes. */
export interface TreeTasks {
  /** Number of tasks above the last level. */
  readonly above: () => Node
  /** The node after the subtree of a node, where a walk goes on. */
  readonly skipOf: (offset: Node) => Node
  /** Runs code for a task if it has a node. */
  readonly forTask: (number: Node, write: (root: Node) => void) => void
}

/** @param side the side that the tasks put in order */
export function treeTasks(writer: ModuleWriter, code: FunctionBuilder, block: Node, side: string): TreeTasks {
  const slot = (name: string) => writer.slot(code, block, name)
  const [nodes, tasks] = [slot('nodes'), slot(`${side}Tasks`)]
  return {
    above: () => op('i32.div_u', op('i32.sub', slot(`${side}LastTasks`), tasks), i32(taskBytes)),
    skipOf: (offset) => times(at('i32.load', nodeLinks.skip, plus(nodes, offset)), nodeBytes),
    forTask(number, write) {
      const task = code.let('i32', 'task', plus(tasks, times(number, taskBytes)))
      code.if(op('i32.ne', at('i32.load', 0, task), at('i32.load', 4, task)), () =>
        write(code.let('i32', 'root', times(at('i32.load', 8, task), nodeBytes))),
      )
    },
  }
}
