/**
 * The functions that make the proxies of `gridScheme` of `@manybody/core/backend` inside the module, for grids of any degree:
 * `gridPoints` adds points to the weights of a grid, `gridNode` adds the grid of a child axis by axis, and `gridPlace` writes the
 * proxies.
 *
 * @module
 */
import { flatGrid } from '@manybody/core/backend'
import { recordBytes } from '../ranges/order-records.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { add, difference, f64, product, quotient, storeNumber, sum } from './float64.ts'
import { mostGridPoints, schemeNumbers } from './layout.ts'
import type { SchemeFunctions, SchemeOptions } from './scheme.ts'

export function gridProxies({ writer, dimension, weights, records }: SchemeOptions): SchemeFunctions {
  const { module, v } = writer
  const axes = [0, 1, 2].slice(0, dimension)
  const names = (...list: readonly string[]) => Object.fromEntries(list.map((name) => [name, 'i32'] as const))
  const each = (f: FunctionBuilder) => f.parameters.map((_, n) => f.parameter(n))

  /** The half edges of a grid. Flat boxes get some height. */
  const halvesOf = (f: FunctionBuilder, box: Node) => {
    const halves = axes.map((a) => f.let('f64', 'edge', at('f64.load', 24 + 8 * a, box)))
    const least = f.let(
      'f64',
      'least',
      product(
        halves.reduce((a, b) => op('f64.max', a, b)),
        f64(flatGrid),
      ),
    )
    const some = f64(Number.MIN_VALUE)
    return halves.map((half) => f.let('f64', 'height', op('f64.max', op('f64.max', half, least), some)))
  }
  const centresOf = (f: FunctionBuilder, box: Node) =>
    axes.map((a) => f.let('f64', 'centre', at('f64.load', 8 * a, box)))

  /** Writes the values at `t` of the polynomials that are 1 at one point of an axis, `step` bytes apart. */
  const values = module.define(
    'gridValues',
    { scheme: 'i32', bytes: 'i32', step: 'i32', to: 'i32', t: 'f64' },
    undefined,
    (f) => {
      const [scheme, bytes, step, to, t] = each(f) as [Node, Node, Node, Node, Node]
      const [value, target] = [f.local('f64', 'value'), f.local('i32', 'target')]
      f.emit(set(target, to))
      f.for('k', i32(0), bytes, 8, (k) => {
        f.emit(set(value, at('f64.load', schemeNumbers.factors, plus(scheme, k))))
        f.for('m', i32(0), bytes, 8, (m) =>
          f.if(op('i32.ne', m, k), () =>
            f.emit(
              set(value, product(get(value), difference(t, at('f64.load', schemeNumbers.points, plus(scheme, m))))),
            ),
          ),
        )
        f.emit(at('f64.store', 0, get(target), get(value)), set(target, plus(get(target), step)))
      })
    },
  )

  const points = module.define(
    'gridPoints',
    names('block', 'scratch', 'from', 'to', 'node', 'state'),
    undefined,
    (f) => {
      const [block, scratch, from, to, box, state] = each(f) as [Node, Node, Node, Node, Node, Node]
      const slot = (name: string) => writer.slot(f, block, name)
      const [places, ordered, scheme, bytes] = [slot(records), slot('weights'), slot('scheme'), slot('gridBytes')]
      const [centres, halves] = [centresOf(f, box), halvesOf(f, box)]
      const lineOf = (axis: number) => plus(scratch, axis * 8 * mostGridPoints)
      const next = f.local('i32', 'next')
      f.for('place', from, to, 1, (place) => {
        const record = f.let('i32', 'record', plus(places, times(place, recordBytes)))
        const own = f.let('i32', 'own', plus(ordered, times(place, 8 * weights.length)))
        for (const axis of axes) {
          const t = quotient(difference(at('f64.load', 8 * axis, record), centres[axis] as Node), halves[axis] as Node)
          f.emit(call(values, scheme, bytes, i32(8), lineOf(axis), t))
        }
        const mine = weights.map((_, w) => f.let('f64', 'weight', at('f64.load', 8 * w, own)))
        f.emit(set(next, state))
        const along = (axis: number, share: Node | undefined) =>
          f.for('n', i32(0), bytes, 8, (n) => {
            const value = at('f64.load', 0, plus(lineOf(axis), n))
            const part = f.let('f64', 'share', share ? product(share, value) : value)
            if (axis > 0) return along(axis - 1, part)
            for (const [w, weight] of mine.entries()) add(f, 8 * w, get(next), product(part, weight))
            f.emit(set(next, plus(get(next), 8 * weights.length)))
          })
        along(dimension - 1, undefined)
      })
    },
  )

  /**
   * `apply(from, to, matrix, bytes, outer, inner)` applies a matrix along an axis: `inner` bytes are one point of it, and there
   * are `outer` lines. It adds to `to`.
   */
  const apply = module.define('gridApply', names('from', 'to', 'matrix', 'bytes', 'outer', 'inner'), undefined, (f) => {
    const [from, to, matrix, bytes, outer, inner] = each(f) as [Node, Node, Node, Node, Node, Node]
    const [source, target, row] = [f.local('i32', 'source'), f.local('i32', 'target'), f.local('i32', 'row')]
    const [line, total] = [f.local('i32', 'line'), f.local('f64', 'total')]
    f.emit(set(line, from), set(target, to))
    f.for('o', i32(0), outer, 1, () => {
      f.for('k', i32(0), bytes, 8, (k) => {
        f.for('n', i32(0), inner, 8, (n) => {
          f.emit(
            set(total, f64(0)),
            set(source, plus(get(line), n)),
            set(row, plus(matrix, op('i32.mul', k, i32(mostGridPoints)))),
          )
          f.for('m', i32(0), bytes, 8, (m) => {
            f.emit(
              set(
                total,
                sum(get(total), product(at('f64.load', 0, plus(get(row), m)), at('f64.load', 0, get(source)))),
              ),
            )
            f.emit(set(source, plus(get(source), inner)))
          })
          add(f, 0, get(target), get(total))
          f.emit(set(target, plus(get(target), 8)))
        })
      })
      f.emit(set(line, plus(get(line), op('i32.mul', inner, op('i32.shr_u', bytes, i32(3))))))
    })
  })

  const node = module.define(
    'gridNode',
    names('block', 'scratch', 'inner', 'innerState', 'node', 'state'),
    undefined,
    (f) => {
      const [block, scratch, inner, innerState, outer, state] = each(f) as [Node, Node, Node, Node, Node, Node]
      const slot = (name: string) => writer.slot(f, block, name)
      const [scheme, bytes] = [slot('scheme'), slot('gridBytes')]
      const [centres, halves] = [centresOf(f, outer), halvesOf(f, outer)]
      const [innerCentres, innerHalves] = [centresOf(f, inner), halvesOf(f, inner)]
      const matrixOf = (axis: number) => plus(scratch, axis * 8 * mostGridPoints ** 2)
      for (const axis of axes)
        f.for('n', i32(0), bytes, 8, (n) => {
          const moved = product(innerHalves[axis] as Node, at('f64.load', schemeNumbers.points, plus(scheme, n)))
          const x = difference(sum(innerCentres[axis] as Node, moved), centres[axis] as Node)
          const t = quotient(x, halves[axis] as Node)
          f.emit(call(values, scheme, bytes, i32(8 * mostGridPoints), plus(matrixOf(axis), n), t))
        })
      const count = f.let('i32', 'count', op('i32.shr_u', bytes, i32(3)))
      const grid = weights.length * 8 * mostGridPoints ** dimension
      const between = [0, 1].map((n) => f.let('i32', 'between', plus(scratch, 3 * 8 * mostGridPoints ** 2 + n * grid)))
      const powers = [i32(1), count, op('i32.mul', count, count)]
      const whole = op('i32.mul', powers[dimension - 1] as Node, times(count, 8 * weights.length))
      for (const axis of axes) {
        const last = axis === dimension - 1
        const from = axis === 0 ? innerState : (between[(axis + 1) % 2] as Node)
        const to = last ? state : (between[axis % 2] as Node)
        if (!last) f.emit(op('memory.fill', to, i32(0), whole))
        const width = times(powers[axis] as Node, 8 * weights.length)
        f.emit(call(apply, from, to, matrixOf(axis), bytes, powers[dimension - 1 - axis] as Node, width))
      }
    },
  )

  const place = module.define('gridPlace', names('block', 'scratch', 'node', 'state', 'proxy'), undefined, (f) => {
    const [block, , box, state, proxy] = each(f) as [Node, Node, Node, Node, Node]
    const slot = (name: string) => writer.slot(f, block, name)
    const [scheme, bytes, position] = [slot('scheme'), slot('gridBytes'), slot('proxy.position')]
    const arrays = weights.map((name) => f.let('i32', 'array', plus(slot(`proxy.${name}`), times(proxy, v.bytes))))
    const [centres, halves] = [centresOf(f, box), halvesOf(f, box)]
    const [number, from] = [f.local('i32', 'number'), f.local('i32', 'from')]
    f.emit(set(number, i32(0)), set(from, state))
    const start = f.let('i32', 'start', plus(position, times(proxy, dimension * v.bytes)))
    const along = (axis: number, coordinates: readonly Node[]) =>
      f.for('n', i32(0), bytes, 8, (n) => {
        const t = at('f64.load', schemeNumbers.points, plus(scheme, n))
        const x = f.let('f64', 'x', sum(centres[axis] as Node, product(halves[axis] as Node, t)))
        if (axis > 0) return along(axis - 1, [x, ...coordinates])
        const to = f.let('i32', 'to', plus(start, times(get(number), dimension * v.bytes)))
        for (const [a, value] of [x, ...coordinates].entries()) f.emit(storeNumber(v, a * v.bytes, to, value))
        for (const [w, array] of arrays.entries()) {
          const own = plus(array, times(get(number), v.bytes))
          f.emit(storeNumber(v, 0, own, at('f64.load', 8 * w, get(from))))
        }
        f.emit(set(number, plus(get(number), 1)), set(from, plus(get(from), 8 * weights.length)))
      })
    along(dimension - 1, [])
  })
  return { points, node, place }
}
