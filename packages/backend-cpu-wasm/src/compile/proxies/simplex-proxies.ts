/**
 * The functions that make the proxies of `simplexScheme` of `@manybody/core/backend` inside the module: `simplexPoints` adds
 * points to the moments of a node, `simplexNode` adds the moments of a child, and `simplexPlace` writes the proxies.
 *
 * @module
 */
import { simplexCorners, simplexFlat } from '@manybody/core/near'
import { recordBytes } from '../../design/order-layout.ts'
import { groupBytes, momentsIn, schemeNumbers } from '../../design/proxy-layout.ts'
import { loadCoordinate } from '../ranges/order-records.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { add, difference, f64, loadNumber, product, quotient, storeNumber, sum } from './float64.ts'
import type { SchemeFunctions, SchemeOptions } from './scheme.ts'

export function simplexProxies({ writer, dimension, weights, records }: SchemeOptions): SchemeFunctions {
  const { module, vector } = writer
  const axes = [0, 1, 2].slice(0, dimension)
  const moments = momentsIn(dimension)
  const first = (a: number) => 8 * (1 + a)
  const second = (a: number, b: number) => 8 * (1 + dimension + (a * (a + 1)) / 2 + b)
  const corners = simplexCorners[dimension] as readonly (readonly number[])[]

  /** Runs code for each group, with its weight's offset, its sign and the offset of its moments. */
  const eachGroup = (
    code: FunctionBuilder,
    block: Node,
    write: (weight: Node, sign: Node, from: Node, number: Node) => void,
  ) => {
    const scheme = writer.slot(code, block, 'scheme')
    code.for('group', i32(0), writer.slot(code, block, 'groups'), 1, (number) => {
      const group = code.let('i32', 'groupAt', plus(scheme, times(number, groupBytes)))
      const weight = code.let('i32', 'weightAt', at('i32.load', schemeNumbers.groups, group))
      const sign = code.let('f64', 'sign', at('f64.load', schemeNumbers.groups + 8, group))
      write(weight, sign, code.let('i32', 'momentsAt', times(number, 8 * moments)), number)
    })
  }

  const points = module.define(
    'simplexPoints',
    integers('block', 'scratch', 'from', 'to', 'node', 'state'),
    undefined,
    (code, { block, from, to, node, state }) => {
      const [places, ordered] = [writer.slot(code, block, records), writer.slot(code, block, 'weights')]
      const centres = axes.map((axis) => code.let('f64', 'centre', at('f64.load', 8 * axis, node)))
      eachGroup(code, block, (weightAt, sign, momentsAt) => {
        const sums = Array.from({ length: moments }, () => code.local('f64', 'moment'))
        const to8 = code.let('i32', 'own', plus(state, momentsAt))
        code.emit(...sums.map((moment, n) => set(moment, at('f64.load', 8 * n, to8))))
        const grow = (byte: number, value: Node) => {
          const moment = sums[byte / 8]
          if (moment) code.emit(set(moment, sum(get(moment), value)))
        }
        code.for('place', from, to, 1, (place) => {
          const own = plus(plus(ordered, times(place, vector.bytes * weights.length)), weightAt)
          const weight = code.let('f64', 'weight', loadNumber(vector, 0, own))
          code.if(op('f64.gt', product(weight, sign), f64(0)), () => {
            const record = code.let('i32', 'record', plus(places, times(place, recordBytes(vector.bytes))))
            const d = centres.map((centre, a) =>
              code.let('f64', 'd', difference(loadCoordinate(vector.bytes, plus(record, vector.bytes * a)), centre)),
            )
            grow(0, weight)
            for (const a of axes) {
              const moved = code.let('f64', 'moved', product(weight, d[a] as Node))
              grow(first(a), moved)
              for (let b = 0; b <= a; b++) grow(second(a, b), product(moved, d[b] as Node))
            }
          })
        })
        code.emit(...sums.map((moment, n) => at('f64.store', 8 * n, to8, get(moment))))
      })
    },
  )

  const node = module.define(
    'simplexNode',
    integers('block', 'scratch', 'inner', 'innerState', 'node', 'state'),
    undefined,
    (code, { block, inner, innerState, node: outer, state }) => {
      const d = axes.map((a) =>
        code.let('f64', 'd', difference(at('f64.load', 8 * a, inner), at('f64.load', 8 * a, outer))),
      )
      eachGroup(code, block, (_weight, _sign, momentsAt) => {
        const [from, to] = [innerState, state].map((address) => code.let('i32', 'own', plus(address, momentsAt))) as [
          Node,
          Node,
        ]
        const read = (byte: number) => at('f64.load', byte, from)
        const total = code.let('f64', 'total', read(0))
        const ms = axes.map((a) => code.let('f64', 'm', read(first(a))))
        add(code, 0, to, total)
        for (const a of axes) {
          const moved = code.let('f64', 'moved', product(total, d[a] as Node))
          add(code, first(a), to, sum(ms[a] as Node, moved))
          for (let b = 0; b <= a; b++) {
            const [da, db] = [d[a] as Node, d[b] as Node]
            const mixed = sum(product(ms[a] as Node, db), product(da, ms[b] as Node))
            add(code, second(a, b), to, sum(sum(read(second(a, b)), mixed), product(moved, db)))
          }
        }
      })
    },
  )

  const place = module.define(
    'simplexPlace',
    integers('block', 'scratch', 'node', 'state', 'proxy'),
    undefined,
    (code, { block, node: box, state, proxy }) => {
      const position = writer.slot(code, block, 'proxy.position')
      const arrays = weights.map((name) => writer.slot(code, block, `proxy.${name}`))
      const zero = f64(0)
      eachGroup(code, block, (weightAt, _sign, momentsAt, number) => {
        const from = code.let('i32', 'own', plus(state, momentsAt))
        const total = code.let('f64', 'total', at('f64.load', 0, from))
        const share = code.let('f64', 'share', op('select', zero, quotient(f64(1), total), op('f64.eq', total, zero)))
        const centre = axes.map((a) => code.let('f64', 'mean', product(at('f64.load', first(a), from), share)))
        // Cholesky's decomposition of the second moments about the centre.
        const root = axes.map((): Node[] => [])
        for (const a of axes)
          for (let b = 0; b <= a; b++) {
            const raw = code.let('f64', 'second', product(at('f64.load', second(a, b), from), share))
            const central = difference(raw, product(centre[a] as Node, centre[b] as Node))
            const products = Array.from({ length: b }, (_, c) => product(root[a]?.[c] as Node, root[b]?.[c] as Node))
            const rest = code.let('f64', 'rest', products.reduce(difference, central))
            const length = root[b]?.[b] as Node
            const value =
              a === b
                ? op('select', op('f64.sqrt', rest), zero, op('f64.gt', rest, product(f64(simplexFlat), raw)))
                : op('select', zero, quotient(rest, length), op('f64.eq', length, zero))
            ;(root[a] as Node[])[b] = code.let('f64', 'root', value)
          }
        const start = code.let('i32', 'start', plus(proxy, times(number, corners.length)))
        const weight = code.let('f64', 'weight', product(total, f64(1 / corners.length)))
        for (const [corner, along] of corners.entries()) {
          const own = code.let('i32', 'corner', plus(start, corner))
          const to = code.let('i32', 'to', plus(position, times(own, dimension * vector.bytes)))
          for (const axis of axes) {
            const middle = sum(at('f64.load', 8 * axis, box), centre[axis] as Node)
            const terms = Array.from({ length: axis + 1 }, (_, a) =>
              product(f64(along[a] as number), root[axis]?.[a] as Node),
            )
            code.emit(storeNumber(vector, axis * vector.bytes, to, terms.reduce(sum, middle)))
          }
          for (const [w, array] of arrays.entries()) {
            const mine = op('i32.eq', weightAt, i32(vector.bytes * w))
            code.emit(storeNumber(vector, 0, plus(array, times(own, vector.bytes)), op('select', weight, zero, mine)))
          }
        }
      })
    },
  )
  return { points, node, place }
}
