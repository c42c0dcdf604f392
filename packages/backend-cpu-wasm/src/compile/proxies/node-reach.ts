/**
 * The phases that find how far each node must be, as `nodeReaches` and `nodeFields` of core do: `reachTop` for the nodes above
 * the parts of the tree that threads share, and `reach` for those parts. The numbers equal those of core to the last bit of
 * float32, except where a power that is rounded in float64 falls on the other side of a border.
 *
 * A node gets its reach, which replaces its share of the weight. It then passes the field around them on to its children.
 *
 * @module
 */
import { edgePower, fieldPower, least2, leastReach, nodeBytes, nodeLinks, widest2 } from '@manybody/core/near'
import { openingNumbers, schemeNumbers } from '../../design/proxy-layout.ts'
import { mathFunction } from '../expressions/functions.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, type Callable, call, i32, laned, type Node, op, plus } from '../wasm/nodes.ts'
import { float64 } from '../wasm/vector.ts'
import { difference, f64, product, quotient, sum } from './float64.ts'
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
    const radius2 = code.let('f64', 'radius2', radius2Of(nodes, dimension))
    const unit = code.let('f64', 'unit', op('select', radius2, f64(1), op('f64.gt', radius2, f64(0))))
    const weight = at('f64.load', openingNumbers.reach, openings)
    code.emit(
      at('f64.store', schemeNumbers.unit, scheme, unit),
      at('f64.store', schemeNumbers.scale, scheme, quotient(f64(1), unit)),
      at('f64.store', schemeNumbers.weight, scheme, weight),
      at('f64.store', 0, around, f64(0)),
    )
    const { above, forTask } = treeTasks(writer, code, block, side)
    code.for('number', i32(0), above(), 1, (number) => forTask(number, (root) => code.emit(call(fit, block, root))))
  })
  writer.phase('reach', (code, { block, first, last }) => {
    const { above, skipOf, forTask } = treeTasks(writer, code, block, side)
    const inner = code.let('i32', 'inner', above())
    code.for('unit', first, last, 1, (unit) =>
      forTask(code.let('i32', 'number', plus(unit, inner)), (root) =>
        code.for('offset', root, skipOf(root), nodeBytes, (offset) => code.emit(call(fit, block, offset))),
      ),
    )
  })
}

/** The function `fitReach(block, offset)`; the offset is in bytes from the first node. The parent must have been fitted before. */
function defineFitReach({ writer, dimension, sameSet }: NodeReachOptions): Callable {
  const { module } = writer
  const power = mathFunction(module, float64, 'pow')
  const parameters = integers('block', 'offset')
  return module.define('fitReach', parameters, undefined, (code, { block, offset }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const scheme = slot('scheme')
    const number = (name: keyof typeof schemeNumbers) =>
      code.let('f64', name, at('f64.load', schemeNumbers[name], scheme))
    const node = code.let('i32', 'node', plus(slot('nodes'), offset))
    const opening = code.let('i32', 'opening', plus(slot('openings'), offset))
    const [unit, nearness] = [number('unit'), number('nearness')]
    const raised = (base: Node, exponent: number) =>
      laned('f64x2.extract_lane', [0], call(power, op('f64x2.splat', base), code.constant('f64x2', exponent)))
    const write = (far2: Node, near2: Node, field: Node) => {
      code.emit(
        at('f32.store', openingNumbers.reach, opening, op('f32.demote_f64', far2)),
        at('f32.store', openingNumbers.reach + 4, opening, op('f32.demote_f64', near2)),
        at('f32.store', nodeLinks.field, node, op('f32.demote_f64', field)),
      )
    }
    const byEdges = (field: Node) => {
      const squares = halvesOf(node, dimension).map((half) =>
        code.let('f64', 'edge2', quotient(product(half, half), unit)),
      )
      const powers = squares.map((square) =>
        Array<Node>(edgePower / 2)
          .fill(square)
          .reduce(product),
      )
      const mean = quotient(powers.reduce(sum), f64(dimension))
      const edges2 = product(f64(dimension), raised(mean, 2 / edgePower))
      write(op('f64.max', product(edges2, nearness), f64(leastReach)), f64(0), field)
    }
    if (!sameSet) return byEdges(f64(1))

    const byWeight = () => {
      const total = number('weight')
      const weighs = code.let('i32', 'weighs', op('f64.gt', total, f64(0)))
      const weight = code.let('f64', 'weight', op('select', total, f64(1), weighs))
      const radius2At = (of: Node) => code.let('f64', 'radius2', quotient(radius2Of(of, dimension), unit))
      const radius2 = radius2At(node)
      const share = at('f64.load', openingNumbers.reach, opening)
      const around = code.let('i32', 'around', plus(slot('around'), op('i32.div_u', offset, i32(nodeBytes / 8))))
      const outer = code.let('f64', 'outer', at('f64.load', 0, around))
      const others = op('f64.promote_f32', at('f32.load', nodeLinks.field, node))
      const inner = quotient(quotient(others, weight), op('f64.max', radius2, f64(least2)))
      const field = code.let('f64', 'field', raised(sum(outer, inner), fieldPower))
      code.if(
        weighs,
        () => {
          const powers = product(raised(radius2, 1 - fieldPower), raised(quotient(share, weight), fieldPower))
          write(
            op('f64.max', product(powers, nearness), f64(leastReach)),
            op('f64.max', quotient(radius2, f64(widest2)), f64(leastReach)),
            field,
          )
        },
        () => byEdges(field),
      )
      tellChildren(code, { dimension, node, opening, around, outer, weight, unit, radius2At })
    }
    code.if(slot('gridBytes'), () => byEdges(f64(1)), byWeight)
  })
}

interface Family {
  readonly dimension: number
  readonly node: Node
  readonly opening: Node
  /** The address of the field around the node, and that field. */
  readonly around: Node
  readonly outer: Node
  /** The weight of all points. */
  readonly weight: Node
  readonly unit: Node
  readonly radius2At: (node: Node) => Node
}

/** For each child of a node: adds the field of its sibling to the field around it. */
function tellChildren(code: FunctionBuilder, family: Family): void {
  const { dimension, node, opening, around, outer, weight, unit, radius2At } = family
  const skip = code.let('i32', 'skip', at('i32.load', openingNumbers.skip, opening))
  code.if(op('i32.ne', skip, i32(nodeBytes)), () => {
    const bytes = code.let('i32', 'second', plus(at('i32.load', openingNumbers.skip + nodeBytes, opening), nodeBytes))
    const child = (offset: Node | number) => ({
      node: code.let('i32', 'child', plus(node, offset)),
      opening: code.let('i32', 'childOpening', plus(opening, offset)),
    })
    const [a, b] = [child(nodeBytes), child(bytes)]
    /** The field of one child's points at the centre of the other child's box. */
    const from = (of: typeof a, there: typeof a) => {
      const apart = Array.from({ length: dimension }, (_, axis) => {
        const centre = at('f64.load', openingNumbers.axis * axis + 8, of.opening)
        return code.let('f64', 'apart', difference(centre, at('f64.load', 8 * axis, there.node)))
      })
      const apart2 = quotient(apart.map((x) => product(x, x)).reduce(sum), unit)
      const share = quotient(at('f64.load', openingNumbers.reach, of.opening), weight)
      return quotient(share, op('f64.max', sum(apart2, radius2At(of.node)), f64(least2)))
    }
    code.emit(
      at('f64.store', 8, around, sum(outer, from(b, a))),
      at('f64.store', 0, plus(around, op('i32.div_u', bytes, i32(nodeBytes / 8))), sum(outer, from(a, b))),
    )
  })
}

const halvesOf = (node: Node, dimension: number): readonly Node[] =>
  Array.from({ length: dimension }, (_, axis) => at('f64.load', 24 + 8 * axis, node))

const radius2Of = (node: Node, dimension: number): Node =>
  halvesOf(node, dimension)
    .map((half) => product(half, half))
    .reduce(sum)
