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

  const parameters = { block: 'i32', scratch: 'i32', offset: 'i32' } as const
  const gather = writer.module.define('gatherNode', parameters, undefined, (f) => {
    const [block, scratch, offset] = [0, 1, 2].map((n) => f.parameter(n)) as [Node, Node, Node]
    const slot = (name: string) => writer.slot(f, block, name)
    const [nodes, openings, states, perProxy, size] = ['nodes', 'openings', 'states', 'stateBytes', 'proxySize'].map(
      slot,
    ) as [Node, Node, Node, Node, Node]
    f.emit(call(fitOpening, block, offset))
    const proxyOf = (at8: Node) => f.let('i32', 'proxy', at('i32.load', openingNumbers.proxy, plus(openings, at8)))
    const stateOf = (proxy: Node) => plus(states, op('i32.mul', proxy, perProxy))
    const proxy = proxyOf(offset)
    const node = f.let('i32', 'node', plus(nodes, offset))
    const linkOf = (of: Node, name: keyof typeof nodeLinks) => at('i32.load', nodeLinks[name], of)
    f.if(op('i32.ne', proxy, i32(-1)), () => {
      const state = f.let('i32', 'state', stateOf(proxy))
      f.emit(op('memory.fill', state, i32(0), op('i32.mul', size, perProxy)))
      const write = ({ points, node: add, place }: SchemeFunctions) => {
        const next = f.let('i32', 'next', plus(offset, nodeBytes))
        const skip = f.let('i32', 'skip', times(linkOf(node, 'skip'), nodeBytes))
        const addPoints = (of: Node) =>
          f.emit(call(points, block, scratch, linkOf(of, 'first'), linkOf(of, 'last'), node, state))
        f.if(
          op('i32.eq', skip, next),
          () => addPoints(node),
          () => {
            const child = f.local('i32', 'child')
            f.emit(set(child, next))
            f.repeat(() => {
              const inner = f.let('i32', 'inner', plus(nodes, get(child)))
              const own = proxyOf(get(child))
              f.if(
                op('i32.eq', own, i32(-1)),
                () => addPoints(inner),
                () => f.emit(call(add, block, scratch, inner, stateOf(own), node, state)),
              )
              f.emit(set(child, times(linkOf(inner, 'skip'), nodeBytes)))
              return op('i32.ne', get(child), skip)
            })
          },
        )
        f.emit(call(place, block, scratch, node, state, proxy))
      }
      f.if(
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
  writer.phase('gather', (f, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(f, block, name)
    const [nodes, tasks] = [slot('nodes'), slot(`${side}Tasks`)]
    f.for('unit', first, last, 1, (unit) => {
      const task = f.let('i32', 'task', plus(tasks, times(plus(unit, 2 ** levels - 1), taskBytes)))
      const { empty, node } = read(task)
      f.if(op('i32.eqz', empty), () => {
        const root = f.let('i32', 'root', times(node, nodeBytes))
        const offset = f.local('i32', 'offset')
        f.emit(set(offset, times(at('i32.load', nodeLinks.skip, plus(nodes, root)), nodeBytes)))
        // Nodes follow each other depth first, so it is the turn of children before that of their parents.
        f.repeat(() => {
          f.emit(set(offset, op('i32.sub', get(offset), i32(nodeBytes))), call(gather, block, scratch, get(offset)))
          return op('i32.ne', get(offset), root)
        })
      })
    })
  })
  writer.phase('gatherTop', (f, { block, scratch }) => {
    if (levels === 0) return
    const tasks = writer.slot(f, block, `${side}Tasks`)
    const task = f.local('i32', 'task')
    f.emit(set(task, plus(tasks, (2 ** levels - 1) * taskBytes)))
    f.repeat(() => {
      f.emit(set(task, op('i32.sub', get(task), i32(taskBytes))))
      const { empty, node } = read(get(task))
      f.if(op('i32.eqz', empty), () => f.emit(call(gather, block, scratch, times(node, nodeBytes))))
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
