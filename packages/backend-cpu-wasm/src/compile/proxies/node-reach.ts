/**
 * The phases that find how far each node must be, as `nodeReaches` and `nodeFields` of core do: `reachTop` for the nodes above
 * the parts of the tree that threads share, and `reach` for those parts. The numbers equal those of core to the last bit of
 * float32, except where a power that is rounded in float64 falls on the other side of a border.
 *
 * A node gets its reach, which replaces its share of the weight. It then passes the field around them on to its children.
 *
 * @module
 */

import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { edgePower, fieldPower, least2, leastReach, widest2 } from '@manybody/core/far'
import { openingNumbers, schemeNumbers } from '../../design/proxy-layout.ts'
import { mathFunction } from '../expressions/functions.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { type Callable, call, type Node } from '../wasm/nodes.ts'
import { float64 } from '../wasm/vector.ts'
import { treeTasks } from './tree-tasks.ts'

export interface NodeReachOptions {
  readonly writer: ModuleWriter
  readonly dimension: number
  /** Whether targets are the sources, so that the weights around them are known. */
  readonly sameSet: boolean
}

/** Adds both phases. @param side the side that the tasks of the tree put in order */
export function defineReach(options: NodeReachOptions, side: string): void {
  const { writer, dimension } = options
  const fit = defineFitReach(options)
  writer.phase('reachTop', (code, { block }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, openings, scheme, around] = [slot('nodes'), slot('openings'), slot('scheme'), slot('around')]
    const { above, forTask } = treeTasks(writer, code, block, side)
    const fitTask = (code: FunctionBuilder, number: Node) =>
      forTask(code, number, (code, root) => code.emit(call(fit, block, root)))
    write(code)`
      let radius2: f64 = ${radius2Of(dimension)}(${nodes})
      let unit = radius2 > 0 ? radius2 : 1
      f64[${scheme} + ${schemeNumbers.unit}] = unit
      f64[${scheme} + ${schemeNumbers.scale}] = 1 / unit
      f64[${scheme} + ${schemeNumbers.weight}] = f64[${openings} + ${openingNumbers.reach}]
      f64[${around}] = 0
      for number in 0..${above}() { ${fitTask}(number) }`
  })
  writer.phase('reach', (code, { block, first, last }) => {
    const { above, skipOf, forTask } = treeTasks(writer, code, block, side)
    const fitTask = (code: FunctionBuilder, number: Node) =>
      forTask(
        code,
        number,
        (code, root) => write(code)`
          for offset in ${root}..${skipOf}(${root}) step ${nodeBytes} { ${fit}(${block}, offset) }`,
      )
    write(code)`
      let inner: i32 = ${above}()
      for unit in ${first}..${last} {
        let number = unit + inner
        ${fitTask}(number)
      }`
  })
}

/** The function `fitReach(block, offset)`; the offset is in bytes from the first node. The parent must have been fitted before. */
function defineFitReach({ writer, dimension, sameSet }: NodeReachOptions): Callable {
  const { module } = writer
  const power = mathFunction(module, float64, 'pow')
  const raised = (code: FunctionBuilder, base: Node, exponent: number) => value(code)`
    lane(${power}(f64x2(${base}), f64x2(${exponent})) as f64x2, 0)`
  return module.define('fitReach', integers('block', 'offset'), undefined, (code, { block, offset }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [scheme, nodes, openings] = [slot('scheme'), slot('nodes'), slot('openings')]
    const number = (name: keyof typeof schemeNumbers) => value(code)`
      let number = f64[${scheme} + ${schemeNumbers[name]}]
      number`
    const node = code.let('i32', 'node', value(code)`${nodes} + ${offset}`)
    const opening = code.let('i32', 'opening', value(code)`${openings} + ${offset}`)
    const [unit, nearness] = [number('unit'), number('nearness')]
    const keep = (code: FunctionBuilder, far2: Node, near2: Node, field: Node) => write(code)`
      f32[${opening} + ${openingNumbers.reach}] = f32(${far2} as f64)
      f32[${opening} + ${openingNumbers.reach + 4}] = f32(${near2} as f64)
      f32[${node} + ${nodeLinks.field}] = f32(${field} as f64)`
    const byEdges = (code: FunctionBuilder, field: Node) => write(code)`
      unroll axis of 0..${dimension} {
        const half = f64[${node} + 24 + 8 * axis]
        let edge2[axis] = half * half / ${unit}
      }
      const powers = sum(axis of 0..${dimension}: product(n of 0..${edgePower / 2}: edge2[axis]))
      const edges2 = ${dimension} * (${raised}(powers / ${dimension}, ${2 / edgePower}) as f64)
      ${keep}(max(edges2 * ${nearness}, ${leastReach}), f64(0), ${field})`
    const byWeight = (code: FunctionBuilder) => write(code)`
      const raised: f64 = ${raised}
      const unit: f64 = ${unit}
      let total = f64[${scheme} + ${schemeNumbers.weight}]
      let weighs = total > 0
      let weight = weighs ? total : 1
      let radius2 = ${radius2Of(dimension)}(${node}) / unit
      const share = f64[${opening} + ${openingNumbers.reach}]
      let around = i32[${block} + ${writer.offset('around')}] + ${offset} / ${nodeBytes / 8}
      let outer = f64[around]
      const others = f64(f32[${node} + ${nodeLinks.field}])
      const inner = others / weight / max(radius2, ${least2})
      let field = raised(outer + inner, ${fieldPower})
      if weighs {
        const powers = raised(radius2, ${1 - fieldPower}) * raised(share / weight, ${fieldPower})
        ${keep}(max(powers * ${nearness}, ${leastReach}), max(radius2 / ${widest2}, ${leastReach}), field)
      } else { ${byEdges}(field) }
      ${tellChildren(dimension)}(${node}, ${opening}, around, outer, weight, unit)`
    write(code)`
      if ${sameSet} {
        if i32[${block} + ${writer.offset('gridBytes')}] { ${byEdges}(f64(1)) } else { ${byWeight}() }
      } else { ${byEdges}(f64(1)) }`
  })
}

/**
 * For each child of a node: adds the field of its sibling to the field around the node, of `outer` at the address `around`.
 *
 * @returns a writer, which takes the weight of all points and the unit of squared distances
 */
function tellChildren(dimension: number) {
  /** The field of one child's points at the centre of the other child's box. */
  const fieldFrom = (
    code: FunctionBuilder,
    node: Node,
    opening: Node,
    there: Node,
    weight: Node,
    unit: Node,
  ): Node => value(code)`
    const unit: f64 = ${unit}
    unroll axis of 0..${dimension} {
      let apart[axis] = f64[${opening} + ${openingNumbers.axis} * axis + 8] - f64[${there} + 8 * axis]
    }
    const apart2 = sum(axis of 0..${dimension}: apart[axis] * apart[axis]) / unit
    let radius2 = ${radius2Of(dimension)}(${node}) / unit
    f64[${opening} + ${openingNumbers.reach}] / ${weight} / max(apart2 + radius2, ${least2})`
  return (
    code: FunctionBuilder,
    node: Node,
    opening: Node,
    around: Node,
    outer: Node,
    weight: Node,
    unit: Node,
  ): void => write(code)`
    const fieldFrom: f64 = ${fieldFrom}
    const outer: f64 = ${outer}
    if i32[${opening} + ${openingNumbers.skip}] != ${nodeBytes} {
      let second = i32[${opening} + ${openingNumbers.skip + nodeBytes}] + ${nodeBytes}
      let a = ${node} + ${nodeBytes}
      let aOpening = ${opening} + ${nodeBytes}
      let b = ${node} + second
      let bOpening = ${opening} + second
      f64[${around} + 8] = outer + fieldFrom(b, bOpening, a, ${weight}, ${unit})
      f64[${around} + second / ${nodeBytes / 8}] = outer + fieldFrom(a, aOpening, b, ${weight}, ${unit})
    }`
}

/** Writes half the squared diagonal of the box of a node. */
const radius2Of =
  (dimension: number) =>
  (code: FunctionBuilder, node: Node): Node =>
    value(code)`
      unroll axis of 0..${dimension} { const half[axis] = f64[${node} + 24 + 8 * axis] }
      sum(axis of 0..${dimension}: half[axis] * half[axis])`
