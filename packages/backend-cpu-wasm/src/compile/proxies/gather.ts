/**
 * The phases that make proxies from the leaves of the tree upwards, as `proxiesOf` of `@manybody/core/backend` does. `gather`
 * makes the proxies of parts of the tree, which threads share; `gatherTop` those of the nodes above.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/near'
import { openingNumbers } from '../../design/proxy-layout.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { defineFitOpening } from './fit-opening.ts'
import { gridProxies } from './grid-proxies.ts'
import type { SchemeFunctions, SchemeOptions } from './scheme.ts'
import { simplexProxies } from './simplex-proxies.ts'
import { treeTasks } from './tree-tasks.ts'
import { defineWeigh } from './weigh.ts'

/** Adds the phases of {@link gatherPhases}. */
export function defineGather(options: Omit<SchemeOptions, 'records'>, side: string): void {
  const { writer, dimension, weights } = options
  const records = `${side}Records`
  defineWeigh(writer, weights)
  const fitOpening = defineFitOpening(writer, { dimension, weights: weights.length, records })
  const schemes = { simplex: simplexProxies({ ...options, records }), grid: gridProxies({ ...options, records }) }

  // The state of the first child ends at `end`. The state of the second child ends one state before.
  const parameters = integers('block', 'scratch', 'offset', 'state', 'end')
  const gather = writer.module.define('gatherNode', parameters, undefined, (code, values) => {
    const { block, scratch, offset, state, end } = values
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, openings, bytes] = [slot('nodes'), slot('openings'), slot('stateBytes')]
    code.emit(call(fitOpening, block, offset))
    const proxyOf = (at8: Node) => code.let('i32', 'proxy', at('i32.load', openingNumbers.proxy, plus(openings, at8)))
    const proxy = proxyOf(offset)
    const node = code.let('i32', 'node', plus(nodes, offset))
    const linkOf = (of: Node, name: keyof typeof nodeLinks) => at('i32.load', nodeLinks[name], of)
    code.if(op('i32.ne', proxy, i32(-1)), () => {
      code.emit(op('memory.fill', state, i32(0), bytes))
      const write = ({ points, node: add, place }: SchemeFunctions) => {
        const next = code.let('i32', 'next', plus(offset, nodeBytes))
        const skip = code.let('i32', 'skip', times(linkOf(node, 'skip'), nodeBytes))
        const addPoints = (of: Node) =>
          code.emit(call(points, block, scratch, linkOf(of, 'first'), linkOf(of, 'last'), node, state))
        code.if(
          op('i32.eq', skip, next),
          () => addPoints(node),
          () => {
            const [child, own] = [code.local('i32', 'child'), code.local('i32', 'own')]
            code.emit(set(child, next), set(own, end))
            code.repeat(() => {
              const inner = code.let('i32', 'inner', plus(nodes, get(child)))
              code.emit(set(own, op('i32.sub', get(own), bytes)))
              code.if(
                op('i32.eq', proxyOf(get(child)), i32(-1)),
                () => addPoints(inner),
                () => code.emit(call(add, block, scratch, inner, get(own), node, state)),
              )
              code.emit(set(child, times(linkOf(inner, 'skip'), nodeBytes)))
              return op('i32.ne', get(child), skip)
            })
          },
        )
        code.emit(call(place, block, scratch, node, state, proxy))
      }
      code.if(
        slot('gridBytes'),
        () => write(schemes.grid),
        () => write(schemes.simplex),
      )
    })
  })

  const memory = (code: FunctionBuilder, block: Node) => {
    const [states, bytes] = [writer.slot(code, block, 'states'), writer.slot(code, block, 'stateBytes')]
    return {
      ...treeTasks(writer, code, block, side),
      bytes,
      /** The states of tasks are stored from the last task to the first, so that those of children are side by side. */
      stateOf: (number: Node) => op('i32.sub', states, op('i32.mul', number, bytes)),
    }
  }
  writer.phase('gather', (code, { block, scratch, first, last }) => {
    const { bytes, above, skipOf, stateOf, forTask } = memory(code, block)
    const inner = code.let('i32', 'inner', above())
    const [stacks, stackBytes] = [writer.slot(code, block, 'stacks'), writer.slot(code, block, 'stackBytes')]
    const [offset, top] = [code.local('i32', 'offset'), code.local('i32', 'top')]
    code.for('unit', first, last, 1, (unit) => {
      const number = code.let('i32', 'number', plus(unit, inner))
      forTask(number, (root) => {
        const stack = code.let('i32', 'stack', plus(stacks, op('i32.mul', unit, stackBytes)))
        code.emit(set(top, stack), set(offset, skipOf(root)))
        // Nodes are stored depth first, so this backward loop reaches children before their parents.
        code.repeat(() => {
          code.emit(set(offset, op('i32.sub', get(offset), i32(nodeBytes))))
          code.emit(call(gather, block, scratch, get(offset), get(top), get(top)))
          const next = code.let('i32', 'next', plus(get(offset), nodeBytes))
          code.emit(set(top, plus(get(top), bytes)))
          code.if(op('i32.ne', skipOf(get(offset)), next), () => {
            // The state of the node replaces those of its children.
            const from = code.let('i32', 'from', op('i32.sub', get(top), bytes))
            code.emit(set(top, op('i32.sub', from, bytes)))
            code.emit(op('memory.copy', op('i32.sub', get(top), bytes), from, bytes))
          })
          return op('i32.ne', get(offset), root)
        })
        code.emit(op('memory.copy', stateOf(number), stack, bytes))
      })
    })
  })
  writer.phase('gatherTop', (code, { block, scratch }) => {
    const { bytes, above, stateOf, forTask } = memory(code, block)
    const number = code.local('i32', 'number')
    code.emit(set(number, above()))
    code.if(get(number), () =>
      code.repeat(() => {
        code.emit(set(number, op('i32.sub', get(number), i32(1))))
        forTask(get(number), (root) => {
          const state = code.let('i32', 'state', stateOf(get(number)))
          const first = code.let('i32', 'first', stateOf(plus(times(get(number), 2), 1)))
          code.emit(call(gather, block, scratch, root, state, plus(first, bytes)))
        })
        return get(number)
      }),
    )
  })
}
