/**
 * The functions that make the proxies of `gridScheme` of `@manybody/core/backend` inside the module, for grids of any degree:
 * `gridPoints` adds points to the weights of a grid, `gridNode` adds the grid of a child axis by axis, and `gridPlace` writes the
 * proxies.
 *
 * @module
 */
import { flatGrid } from '@manybody/core/near'
import { recordBytes } from '../../design/order-layout.ts'
import { mostGridPoints, schemeNumbers } from '../../design/proxy-layout.ts'
import { loadCoordinate } from '../ranges/order-records.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { add, difference, f64, loadNumber, product, quotient, storeNumber, sum } from './float64.ts'
import type { SchemeFunctions, SchemeOptions } from './scheme.ts'

export function gridProxies({ writer, dimension, weights, records }: SchemeOptions): SchemeFunctions {
  const { module, vector } = writer
  const axes = [0, 1, 2].slice(0, dimension)

  /** The half edges of a grid. Flat boxes get some height. */
  const halvesOf = (code: FunctionBuilder, box: Node) => {
    const halves = axes.map((a) => code.let('f64', 'edge', at('f64.load', 24 + 8 * a, box)))
    const least = code.let(
      'f64',
      'least',
      product(
        halves.reduce((a, b) => op('f64.max', a, b)),
        f64(flatGrid),
      ),
    )
    const some = f64(Number.MIN_VALUE)
    return halves.map((half) => code.let('f64', 'height', op('f64.max', op('f64.max', half, least), some)))
  }
  const centresOf = (code: FunctionBuilder, box: Node) =>
    axes.map((a) => code.let('f64', 'centre', at('f64.load', 8 * a, box)))

  /** Writes the values at `t` of the polynomials that are 1 at one point of an axis, `step` bytes apart. */
  const values = module.define(
    'gridValues',
    { scheme: 'i32', bytes: 'i32', step: 'i32', to: 'i32', t: 'f64' },
    undefined,
    (code, { scheme, bytes, step, to, t }) => {
      const [value, target] = [code.local('f64', 'value'), code.local('i32', 'target')]
      code.emit(set(target, to))
      code.for('k', i32(0), bytes, 8, (k) => {
        code.emit(set(value, at('f64.load', schemeNumbers.factors, plus(scheme, k))))
        code.for('m', i32(0), bytes, 8, (m) =>
          code.if(op('i32.ne', m, k), () =>
            code.emit(
              set(value, product(get(value), difference(t, at('f64.load', schemeNumbers.points, plus(scheme, m))))),
            ),
          ),
        )
        code.emit(at('f64.store', 0, get(target), get(value)), set(target, plus(get(target), step)))
      })
    },
  )

  const points = module.define(
    'gridPoints',
    integers('block', 'scratch', 'from', 'to', 'node', 'state'),
    undefined,
    (code, { block, scratch, from, to, node: box, state }) => {
      const slot = (name: string) => writer.slot(code, block, name)
      const [places, ordered, scheme, bytes] = [slot(records), slot('weights'), slot('scheme'), slot('gridBytes')]
      const [centres, halves] = [centresOf(code, box), halvesOf(code, box)]
      const lineOf = (axis: number) => plus(scratch, axis * 8 * mostGridPoints)
      const next = code.local('i32', 'next')
      code.for('place', from, to, 1, (place) => {
        const record = code.let('i32', 'record', plus(places, times(place, recordBytes(vector.bytes))))
        const own = code.let('i32', 'own', plus(ordered, times(place, vector.bytes * weights.length)))
        for (const axis of axes) {
          const x = loadCoordinate(vector.bytes, plus(record, vector.bytes * axis))
          const t = quotient(difference(x, centres[axis] as Node), halves[axis] as Node)
          code.emit(call(values, scheme, bytes, i32(8), lineOf(axis), t))
        }
        const mine = weights.map((_, w) => code.let('f64', 'weight', loadNumber(vector, w * vector.bytes, own)))
        code.emit(set(next, state))
        const along = (axis: number, share: Node | undefined) =>
          code.for('n', i32(0), bytes, 8, (n) => {
            const value = at('f64.load', 0, plus(lineOf(axis), n))
            const part = code.let('f64', 'share', share ? product(share, value) : value)
            if (axis > 0) return along(axis - 1, part)
            for (const [w, weight] of mine.entries()) add(code, 8 * w, get(next), product(part, weight))
            code.emit(set(next, plus(get(next), 8 * weights.length)))
          })
        along(dimension - 1, undefined)
      })
    },
  )

  /**
   * `apply(from, to, matrix, bytes, outer, inner)` applies a matrix along an axis: `inner` bytes are one point of it, and there
   * are `outer` lines. It adds to `to`.
   */
  const apply = module.define(
    'gridApply',
    integers('from', 'to', 'matrix', 'bytes', 'outer', 'inner'),
    undefined,
    (code, { from, to, matrix, bytes, outer, inner }) => {
      const [source, target, row] = [code.local('i32', 'source'), code.local('i32', 'target'), code.local('i32', 'row')]
      const [line, total] = [code.local('i32', 'line'), code.local('f64', 'total')]
      code.emit(set(line, from), set(target, to))
      code.for('o', i32(0), outer, 1, () => {
        code.for('k', i32(0), bytes, 8, (k) => {
          code.for('n', i32(0), inner, 8, (n) => {
            code.emit(
              set(total, f64(0)),
              set(source, plus(get(line), n)),
              set(row, plus(matrix, op('i32.mul', k, i32(mostGridPoints)))),
            )
            code.for('m', i32(0), bytes, 8, (m) => {
              code.emit(
                set(
                  total,
                  sum(get(total), product(at('f64.load', 0, plus(get(row), m)), at('f64.load', 0, get(source)))),
                ),
              )
              code.emit(set(source, plus(get(source), inner)))
            })
            add(code, 0, get(target), get(total))
            code.emit(set(target, plus(get(target), 8)))
          })
        })
        code.emit(set(line, plus(get(line), op('i32.mul', inner, op('i32.shr_u', bytes, i32(3))))))
      })
    },
  )

  const node = module.define(
    'gridNode',
    integers('block', 'scratch', 'inner', 'innerState', 'node', 'state'),
    undefined,
    (code, { block, scratch, inner, innerState, node: outer, state }) => {
      const slot = (name: string) => writer.slot(code, block, name)
      const [scheme, bytes] = [slot('scheme'), slot('gridBytes')]
      const [centres, halves] = [centresOf(code, outer), halvesOf(code, outer)]
      const [innerCentres, innerHalves] = [centresOf(code, inner), halvesOf(code, inner)]
      const matrixOf = (axis: number) => plus(scratch, axis * 8 * mostGridPoints ** 2)
      for (const axis of axes)
        code.for('n', i32(0), bytes, 8, (n) => {
          const moved = product(innerHalves[axis] as Node, at('f64.load', schemeNumbers.points, plus(scheme, n)))
          const x = difference(sum(innerCentres[axis] as Node, moved), centres[axis] as Node)
          const t = quotient(x, halves[axis] as Node)
          code.emit(call(values, scheme, bytes, i32(8 * mostGridPoints), plus(matrixOf(axis), n), t))
        })
      const count = code.let('i32', 'count', op('i32.shr_u', bytes, i32(3)))
      const grid = weights.length * 8 * mostGridPoints ** dimension
      const between = [0, 1].map((n) =>
        code.let('i32', 'between', plus(scratch, 3 * 8 * mostGridPoints ** 2 + n * grid)),
      )
      const powers = [i32(1), count, op('i32.mul', count, count)]
      const whole = op('i32.mul', powers[dimension - 1] as Node, times(count, 8 * weights.length))
      for (const axis of axes) {
        const last = axis === dimension - 1
        const from = axis === 0 ? innerState : (between[(axis + 1) % 2] as Node)
        const to = last ? state : (between[axis % 2] as Node)
        if (!last) code.emit(op('memory.fill', to, i32(0), whole))
        const width = times(powers[axis] as Node, 8 * weights.length)
        code.emit(call(apply, from, to, matrixOf(axis), bytes, powers[dimension - 1 - axis] as Node, width))
      }
    },
  )

  const place = module.define(
    'gridPlace',
    integers('block', 'scratch', 'node', 'state', 'proxy'),
    undefined,
    (code, { block, node: box, state, proxy }) => {
      const slot = (name: string) => writer.slot(code, block, name)
      const [scheme, bytes, position] = [slot('scheme'), slot('gridBytes'), slot('proxy.position')]
      const arrays = weights.map((name) =>
        code.let('i32', 'array', plus(slot(`proxy.${name}`), times(proxy, vector.bytes))),
      )
      const [centres, halves] = [centresOf(code, box), halvesOf(code, box)]
      const [number, from] = [code.local('i32', 'number'), code.local('i32', 'from')]
      code.emit(set(number, i32(0)), set(from, state))
      const start = code.let('i32', 'start', plus(position, times(proxy, dimension * vector.bytes)))
      const along = (axis: number, coordinates: readonly Node[]) =>
        code.for('n', i32(0), bytes, 8, (n) => {
          const t = at('f64.load', schemeNumbers.points, plus(scheme, n))
          const x = code.let('f64', 'x', sum(centres[axis] as Node, product(halves[axis] as Node, t)))
          if (axis > 0) return along(axis - 1, [x, ...coordinates])
          const to = code.let('i32', 'to', plus(start, times(get(number), dimension * vector.bytes)))
          for (const [a, value] of [x, ...coordinates].entries())
            code.emit(storeNumber(vector, a * vector.bytes, to, value))
          for (const [w, array] of arrays.entries()) {
            const own = plus(array, times(get(number), vector.bytes))
            code.emit(storeNumber(vector, 0, own, at('f64.load', 8 * w, get(from))))
          }
          code.emit(set(number, plus(get(number), 1)), set(from, plus(get(from), 8 * weights.length)))
        })
      along(dimension - 1, [])
    },
  )
  return { points, node, place }
}
