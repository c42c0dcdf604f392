/**
 * The phases that make proxies from the leaves of the tree upwards, as `proxiesOf` of `@manybody/core/backend` does. `gather`
 * makes the proxies of parts of the tree, which threads share; `gatherTop` those of the nodes above.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { openingNumbers } from '../../design/proxy-layout.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import type { Callable, Node } from '../wasm/nodes.ts'
import { defineFitOpening } from './fit-opening.ts'
import { gridProxies } from './grid-proxies.ts'
import type { SchemeFunctions, SchemeOptions } from './scheme.ts'
import { simplexProxies } from './simplex-proxies.ts'
import { treeTasks } from './tree-tasks.ts'
import { defineWeigh } from './weigh.ts'

/** Adds the phases of {@link gatherPhases}. */
export function defineGather(options: Omit<SchemeOptions, 'records'>, side: string): void {
  const { writer, weights } = options
  defineWeigh(writer, weights)
  const gather = defineGatherNode({ ...options, records: `${side}Records` })
  const memory = (code: FunctionBuilder, block: Node) => {
    const [states, bytes] = [writer.slot(code, block, 'states'), writer.slot(code, block, 'stateBytes')]
    return {
      ...treeTasks(writer, code, block, side),
      bytes,
      /** The states of tasks are stored from the last task to the first, so that those of children are side by side. */
      stateOf: (code: FunctionBuilder, number: Node) => value(code)`${states} - ${number} * ${bytes}`,
    }
  }
  writer.phase('gather', (code, { block, scratch, first, last }) => {
    const { bytes, above, skipOf, stateOf, forTask } = memory(code, block)
    const [stacks, stackBytes] = [writer.slot(code, block, 'stacks'), writer.slot(code, block, 'stackBytes')]
    const gatherTask = (code: FunctionBuilder, unit: Node, number: Node) =>
      forTask(
        code,
        number,
        (code, root) => write(code)`
          let stack = ${stacks} + ${unit} * ${stackBytes}
          var top = stack
          var offset: i32 = ${skipOf}(${root})
          // Nodes are stored depth first, so this backward loop reaches children before their parents.
          do {
            offset -= ${nodeBytes}
            ${gather}(${block}, ${scratch}, offset, top, top)
            let next = offset + ${nodeBytes}
            top += ${bytes}
            if ${skipOf}(offset) != next {
              // The state of the node replaces those of its children.
              let from = top - ${bytes}
              top = from - ${bytes}
              memory.copy(top - ${bytes}, from, ${bytes})
            }
          } while offset != ${root}
          memory.copy(${stateOf}(${number}), stack, ${bytes})`,
      )
    write(code)`
      let inner: i32 = ${above}()
      for unit in ${first}..${last} {
        let number = unit + inner
        ${gatherTask}(unit, number)
      }`
  })
  writer.phase('gatherTop', (code, { block, scratch }) => {
    const { bytes, above, stateOf, forTask } = memory(code, block)
    const gatherTask = (code: FunctionBuilder, number: Node) =>
      forTask(
        code,
        number,
        (code, root) => write(code)`
          let state: i32 = ${stateOf}(${number})
          let first: i32 = ${stateOf}(${number} * 2 + 1)
          ${gather}(${block}, ${scratch}, ${root}, state, first + ${bytes})`,
      )
    write(code)`
      var number: i32 = ${above}()
      while number {
        number -= 1
        ${gatherTask}(number)
      }`
  })
}

/**
 * Defines `gatherNode(block, scratch, offset, state, end)`. The state of the first child ends at `end`. The state of the second
 * child ends one state before.
 */
function defineGatherNode(options: SchemeOptions): Callable {
  const { writer, dimension, weights, records } = options
  const fitOpening = defineFitOpening(writer, { dimension, weights: weights.length, records })
  const schemes = { simplex: simplexProxies(options), grid: gridProxies(options) }
  const parameters = integers('block', 'scratch', 'offset', 'state', 'end')
  return writer.module.define('gatherNode', parameters, undefined, (code, { block, scratch, offset, state, end }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, openings, bytes] = [slot('nodes'), slot('openings'), slot('stateBytes')]
    const by = (scheme: SchemeFunctions) => (code: FunctionBuilder, node: Node, proxy: Node) => {
      const points = (code: FunctionBuilder, of: Node) => write(code)`
        ${scheme.points}(
          ${block}, ${scratch}, i32[${of} + ${nodeLinks.first}], i32[${of} + ${nodeLinks.last}], ${node}, ${state})`
      write(code)`
        let next = ${offset} + ${nodeBytes}
        let skip = i32[${node} + ${nodeLinks.skip}] * ${nodeBytes}
        if skip == next { ${points}(${node}) } else {
          var child = next
          var own = ${end}
          do {
            let inner = ${nodes} + child
            own -= ${bytes}
            if i32[${openings} + child + ${openingNumbers.proxy}] == -1 { ${points}(inner) } else {
              ${scheme.node}(${block}, ${scratch}, inner, own, ${node}, ${state})
            }
            child = i32[inner + ${nodeLinks.skip}] * ${nodeBytes}
          } while child != skip
        }
        ${scheme.place}(${block}, ${scratch}, ${node}, ${state}, ${proxy})`
    }
    write(code)`
      ${fitOpening}(${block}, ${offset})
      let proxy = i32[${openings} + ${offset} + ${openingNumbers.proxy}]
      let node = ${nodes} + ${offset}
      if proxy != -1 {
        memory.fill(${state}, 0, ${bytes})
        if i32[${block} + ${writer.offset('gridBytes')}] { ${by(schemes.grid)}(node, proxy) } else {
          ${by(schemes.simplex)}(node, proxy)
        }
      }`
  })
}
