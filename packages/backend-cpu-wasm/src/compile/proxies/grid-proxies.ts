/**
 * The functions that make the proxies of `gridScheme` of `@manybody/core/backend` inside the module, for grids of any degree:
 * `gridPoints` adds points to the weights of a grid, `gridNode` adds the grid of a child axis by axis, and `gridPlace` writes the
 * proxies.
 *
 * @module
 */
import { flatGrid } from '@manybody/core/far'
import { recordBytes } from '../../design/order-layout.ts'
import { mostGridPoints, schemeNumbers } from '../../design/proxy-layout.ts'
import { define, value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import { at, type Callable, type Node } from '../wasm/nodes.ts'
import type { SchemeFunctions, SchemeOptions } from './scheme.ts'

export function gridProxies(options: SchemeOptions): SchemeFunctions {
  const values = defineValues(options.writer.module)
  return {
    points: definePoints(options, values),
    node: defineNode(options, values, defineApply(options.writer.module)),
    place: definePlace(options),
  }
}

/** The half edges of the grid of a box. Flat boxes get some height. */
const halvesOf = (dimension: number) => (code: FunctionBuilder, box: Node) => {
  const axes = [0, 1, 2].slice(0, dimension)
  const edges = axes.map((axis) => code.let('f64', 'edge', at('f64.load', 24 + 8 * axis, box)))
  const least = code.let('f64', 'least', value(code)`max(edge of ${edges}: edge as f64) * ${flatGrid}`)
  const half = (edge: Node) => value(code)`max(max(${edge} as f64, ${least}), ${Number.MIN_VALUE})`
  return edges.map((edge) => code.let('f64', 'height', half(edge)))
}

/** Writes the values at `t` of the polynomials that are 1 at one point of an axis, `step` bytes apart. */
function defineValues(module: ModuleBuilder): Callable {
  return define(module)`
    fn gridValues(scheme, bytes, step, to, t: f64) {
      var target = to
      for k in 0..bytes step 8 {
        var value = f64[scheme + k + ${schemeNumbers.factors}]
        for m in 0..bytes step 8 {
          if m != k { value *= t - f64[scheme + m + ${schemeNumbers.points}] }
        }
        f64[target] = value
        target += step
      }
    }`
}

/** Adds points to the weights of a grid. */
function definePoints({ writer, dimension, weights, records }: SchemeOptions, values: Callable): Callable {
  const { bytes, number } = writer.vector
  const slot = (name: string) => writer.offset(name)
  const last = dimension - 1
  type Along = (code: FunctionBuilder, line: Node, end: Node, next: Node, mine: readonly Node[], outer: Node) => void
  const add: Along = (code, _line, _end, next, mine, share) => write(code)`
    const mine: f64 = ${mine}
    unroll w of 0..${weights.length} { f64[${next} + 8 * w] += ${share} * mine[w] }
    ${next} += ${8 * weights.length}`
  /** Loops along an axis and those below it, from point to point of the grid. */
  const along = (axis: number): Along => {
    const inner = axis > 0 ? along(axis - 1) : add
    return (code, line, end, next, mine, outer) => write(code)`
      for n in 0..${end} step 8 {
        const value = f64[${line} + ${8 * mostGridPoints * axis} + n]
        let share = ${axis === last} ? value : ${outer} * value
        ${inner}(${line}, ${end}, ${next}, ${mine}, share)
      }`
  }
  return define(writer.module)`
    scalar number = ${number}
    fn gridPoints(block, scratch, from, to, node, state) {
      let records = i32[block + ${slot(records)}]
      let ordered = i32[block + ${slot('weights')}]
      let scheme = i32[block + ${slot('scheme')}]
      let bytes = i32[block + ${slot('gridBytes')}]
      unroll axis of 0..${dimension} { let centre[axis] = f64[node + 8 * axis] }
      const half = ${halvesOf(dimension)}(node)
      var next: i32
      for place in from..to {
        let record = records + place * ${recordBytes(bytes)}
        let own = ordered + place * ${bytes * weights.length}
        unroll axis of 0..${dimension} {
          const x = f64(number[record + ${bytes} * axis])
          ${values}(scheme, bytes, 8, scratch + ${8 * mostGridPoints} * axis, (x - centre[axis]) / half[axis])
        }
        unroll w of 0..${weights.length} { let weight[w] = f64(number[own + ${bytes} * w]) }
        next = state
        ${along(last)}(scratch, bytes, next, weight, 1)
      }
    }`
}

/**
 * Applies a matrix along an axis: `inner` bytes are one point of it, and there are `outer` lines. It adds to `to`.
 */
function defineApply(module: ModuleBuilder): Callable {
  return define(module)`
    fn gridApply(from, to, matrix, bytes, outer, inner) {
      var line = from
      var target = to
      for o in 0..outer {
        for k in 0..bytes step 8 {
          for n in 0..inner step 8 {
            var total: f64 = 0
            var source = line + n
            let row = matrix + k * ${mostGridPoints}
            for m in 0..bytes step 8 {
              total += f64[row + m] * f64[source]
              source += inner
            }
            f64[target] += total
            target += 8
          }
        }
        line += inner * (bytes >> 3)
      }
    }`
}

/** Adds the grid of a child, axis by axis. */
function defineNode({ writer, dimension, weights }: SchemeOptions, values: Callable, apply: Callable): Callable {
  const slot = (name: string) => writer.offset(name)
  const last = dimension - 1
  const matrix = 8 * mostGridPoints ** 2
  const width = 8 * weights.length
  return define(writer.module)`
    fn gridNode(block, scratch, inner, innerState, node, state) {
      let scheme = i32[block + ${slot('scheme')}]
      let bytes = i32[block + ${slot('gridBytes')}]
      unroll axis of 0..${dimension} { let centre[axis] = f64[node + 8 * axis] }
      const half = ${halvesOf(dimension)}(node)
      unroll axis of 0..${dimension} { let innerCentre[axis] = f64[inner + 8 * axis] }
      const innerHalf = ${halvesOf(dimension)}(inner)
      unroll axis of 0..${dimension} {
        let table[axis] = scratch + ${matrix} * axis
        for n in 0..bytes step 8 {
          const x = innerCentre[axis] + (innerHalf[axis] as f64) * f64[scheme + n + ${schemeNumbers.points}]
          ${values}(scheme, bytes, ${8 * mostGridPoints}, table[axis] + n, (x - centre[axis]) / half[axis])
        }
      }
      let power[0] = 1
      unroll axis of 0..${last} { let power[axis + 1] = power[axis] * (bytes >> 3) }
      let whole = power[${last}] * (bytes * ${weights.length})
      // The grid goes from the child's state through one or two grids of scratch.
      let between[0] = innerState
      unroll axis of 0..${last} {
        let between[axis + 1] = scratch + ${3 * matrix} + ${width * mostGridPoints ** dimension} * axis
        memory.fill(between[axis + 1], 0, whole)
      }
      let between[${dimension}] = state
      unroll axis of 0..${dimension} {
        ${apply}(between[axis], between[axis + 1], table[axis], bytes, power[${last} - axis], power[axis] * ${width})
      }
    }`
}

/** Writes the proxies: the points of a grid, with their weights. */
function definePlace({ writer, dimension, weights }: SchemeOptions): Callable {
  const { bytes, number } = writer.vector
  const slot = (name: string) => writer.offset(name)
  type Lists = readonly [centre: readonly Node[], half: readonly Node[], array: readonly Node[]]
  type Along = (
    code: FunctionBuilder,
    scheme: Node,
    end: Node,
    place: Node,
    from: Node,
    start: Node,
    ...lists: Lists
  ) => void
  const place =
    (coordinates: readonly Node[]): Along =>
    (code, _scheme, _end, place, from, start, _centre, _half, array) =>
      write(code)`
        scalar number = ${number}
        const x = ${coordinates}
        const array = ${array}
        let to = ${start} + ${place} * ${dimension * bytes}
        unroll axis of 0..${dimension} { number[to + ${bytes} * axis] = number(x[axis] as f64) }
        unroll w of 0..${weights.length} { number[array[w] + ${place} * ${bytes}] = number(f64[${from} + 8 * w]) }
        ${place} += 1
        ${from} += ${8 * weights.length}`
  /** Loops along an axis and those below it. */
  const along = (axis: number, outer: readonly Node[]): Along => {
    const inside = (code: FunctionBuilder, x: Node, ...rest: [Node, Node, Node, Node, Node, ...Lists]) =>
      (axis > 0 ? along(axis - 1, [x, ...outer]) : place([x, ...outer]))(code, ...rest)
    return (code, scheme, end, place, from, start, centre, half, array) => write(code)`
      const centre = ${centre}
      const half = ${half}
      for n in 0..${end} step 8 {
        let x = (centre[${axis}] as f64) + (half[${axis}] as f64) * f64[${scheme} + n + ${schemeNumbers.points}]
        ${inside}(x, ${scheme}, ${end}, ${place}, ${from}, ${start}, centre, half, ${array})
      }`
  }
  return define(writer.module)`
    fn gridPlace(block, scratch, node, state, proxy) {
      const arrays = ${weights.map((name) => slot(`proxy.${name}`))}
      let scheme = i32[block + ${slot('scheme')}]
      let bytes = i32[block + ${slot('gridBytes')}]
      let position = i32[block + ${slot('proxy.position')}]
      unroll w of 0..${weights.length} { let array[w] = i32[block + arrays[w]] + proxy * ${bytes} }
      unroll axis of 0..${dimension} { let centre[axis] = f64[node + 8 * axis] }
      const half = ${halvesOf(dimension)}(node)
      var place = 0
      var from = state
      let start = position + proxy * ${dimension * bytes}
      ${along(dimension - 1, [])}(scheme, bytes, place, from, start, centre, half, array)
    }`
}
