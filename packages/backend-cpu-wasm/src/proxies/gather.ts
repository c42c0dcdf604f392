/**
 * The phases that make proxies from the leaves of the tree upwards, as `proxiesOf` of `@manybody/core/backend` does: `gather` those of
 * parts of the tree, which threads share, and `gatherTop` those of the nodes above them.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { openingNumbers } from '../ranges/opening-walk.ts'
import type { OrderPhase } from '../ranges/order-points.ts'
import { cutLevels, taskBytes } from '../ranges/order-records.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { defineFitOpening } from './fit-opening.ts'
import { gridProxies } from './grid-proxies.ts'
import { weighPoints } from './layout.ts'
import type { SchemeFunctions, SchemeOptions } from './scheme.ts'
import { simplexProxies } from './simplex-proxies.ts'
import { defineWeigh } from './weigh.ts'

/** Adds the phases of {@link gatherPhases}. */
export function defineGather(options: Omit<SchemeOptions, 'records'>, side: string, points: number): void {
  const { writer, dimension, weights } = options
  const levels = cutLevels(points)
  const records = `${side}Records`
  defineWeigh(writer, weights)
  const fitOpening = defineFitOpening(writer, { dimension, weights: weights.length, records })
  const schemes = { simplex: simplexProxies({ ...options, records }), grid: gridProxies({ ...options, records }) }

  const parameters = integers('block', 'scratch', 'offset')
  const gather = writer.module.define('gatherNode', parameters, undefined, (code, { block, scratch, offset }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, openings, states, perProxy, size] = ['nodes', 'openings', 'states', 'stateBytes', 'proxySize'].map(
      slot,
    ) as [Node, Node, Node, Node, Node]
    code.emit(call(fitOpening, block, offset))
    const proxyOf = (at8: Node) => code.let('i32', 'proxy', at('i32.load', openingNumbers.proxy, plus(openings, at8)))
    const stateOf = (proxy: Node) => plus(states, op('i32.mul', proxy, perProxy))
    const proxy = proxyOf(offset)
    const node = code.let('i32', 'node', plus(nodes, offset))
    const linkOf = (of: Node, name: keyof typeof nodeLinks) => at('i32.load', nodeLinks[name], of)
    code.if(op('i32.ne', proxy, i32(-1)), () => {
      const state = code.let('i32', 'state', stateOf(proxy))
      code.emit(op('memory.fill', state, i32(0), op('i32.mul', size, perProxy)))
      const write = ({ points, node: add, place }: SchemeFunctions) => {
        const next = code.let('i32', 'next', plus(offset, nodeBytes))
        const skip = code.let('i32', 'skip', times(linkOf(node, 'skip'), nodeBytes))
        const addPoints = (of: Node) =>
          code.emit(call(points, block, scratch, linkOf(of, 'first'), linkOf(of, 'last'), node, state))
        code.if(
          op('i32.eq', skip, next),
          () => addPoints(node),
          () => {
            const child = code.local('i32', 'child')
            code.emit(set(child, next))
            code.repeat(() => {
              const inner = code.let('i32', 'inner', plus(nodes, get(child)))
              const own = proxyOf(get(child))
              code.if(
                op('i32.eq', own, i32(-1)),
                () => addPoints(inner),
                () => code.emit(call(add, block, scratch, inner, stateOf(own), node, state)),
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

  const read = (task: Node) => ({
    empty: op('i32.eq', at('i32.load', 0, task), at('i32.load', 4, task)),
    node: at('i32.load', 8, task),
  })
  writer.phase('gather', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, tasks] = [slot('nodes'), slot(`${side}Tasks`)]
    code.for('unit', first, last, 1, (unit) => {
      const task = code.let('i32', 'task', plus(tasks, times(plus(unit, 2 ** levels - 1), taskBytes)))
      const { empty, node } = read(task)
      code.if(op('i32.eqz', empty), () => {
        const root = code.let('i32', 'root', times(node, nodeBytes))
        const offset = code.local('i32', 'offset')
        code.emit(set(offset, times(at('i32.load', nodeLinks.skip, plus(nodes, root)), nodeBytes)))
        // Nodes follow each other depth first, so it is the turn of children before that of their parents.
        code.repeat(() => {
          code.emit(set(offset, op('i32.sub', get(offset), i32(nodeBytes))), call(gather, block, scratch, get(offset)))
          return op('i32.ne', get(offset), root)
        })
      })
    })
  })
  writer.phase('gatherTop', (code, { block, scratch }) => {
    if (levels === 0) return
    const tasks = writer.slot(code, block, `${side}Tasks`)
    const task = code.local('i32', 'task')
    code.emit(set(task, plus(tasks, (2 ** levels - 1) * taskBytes)))
    code.repeat(() => {
      code.emit(set(task, op('i32.sub', get(task), i32(taskBytes))))
      const { empty, node } = read(get(task))
      code.if(op('i32.eqz', empty), () => code.emit(call(gather, block, scratch, times(node, nodeBytes))))
      return op('i32.ne', get(task), tasks)
    })
  })
}

/** The phases, in order: the first knows the weights, from which the host decides on the others. */
export function gatherPhases(points: number): readonly OrderPhase[] {
  const common = { points: weighPoints }
  return [
    { ...common, name: 'weigh', callUnits: 16, nanoseconds: 5 },
    { ...common, name: 'gather', callUnits: 1, units: 2 ** cutLevels(points), nanoseconds: 60 },
    { ...common, name: 'gatherTop', callUnits: 1, units: 1, nanoseconds: 0.1 },
  ]
}
