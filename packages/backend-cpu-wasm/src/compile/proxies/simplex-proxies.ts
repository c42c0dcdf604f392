/**
 * The functions that make the proxies of `simplexScheme` of `@manybody/core/backend` inside the module: `simplexPoints` adds
 * points to the moments of a node, `simplexNode` adds the moments of a child, and `simplexPlace` writes the proxies.
 *
 * @module
 */
import { simplexCorners, simplexFlat } from '@manybody/core/far'
import { recordBytes } from '../../design/order-layout.ts'
import { groupBytes, momentsIn, schemeNumbers } from '../../design/proxy-layout.ts'
import { define } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Callable } from '../wasm/nodes.ts'
import type { SchemeFunctions, SchemeOptions } from './scheme.ts'

export function simplexProxies(options: SchemeOptions): SchemeFunctions {
  return { points: definePoints(options), node: defineNode(options), place: definePlace(options) }
}

/** Where the moments of a group are in its state: the total, the first ones, and the second ones with `b <= a`. */
const numbersOf = (dimension: number) => ({
  first: (_: FunctionBuilder, a: number) => 1 + a,
  second: (_: FunctionBuilder, a: number, b: number) => 1 + dimension + (a * (a + 1)) / 2 + b,
})

function definePoints({ writer, dimension, weights, records }: SchemeOptions): Callable {
  const { bytes, number } = writer.vector
  const slot = (name: string) => writer.offset(name)
  const moments = momentsIn(dimension)
  const { first, second } = numbersOf(dimension)
  return define(writer.module)`
    scalar number = ${number}
    fn simplexPoints(block, scratch, from, to, node, state) {
      let places = i32[block + ${slot(records)}]
      let ordered = i32[block + ${slot('weights')}]
      let scheme = i32[block + ${slot('scheme')}]
      unroll a of 0..${dimension} { let centre[a] = f64[node + 8 * a] }
      for group in 0..i32[block + ${slot('groups')}] {
        let data = scheme + group * ${groupBytes}
        let weightAt = i32[data + ${schemeNumbers.groups}]
        let sign = f64[data + ${schemeNumbers.groups + 8}]
        let own = state + group * ${8 * moments}
        unroll n of 0..${moments} { var moment[n] = f64[own + 8 * n] }
        for place in from..to {
          let weight = f64(number[ordered + place * ${bytes * weights.length} + weightAt])
          if weight * sign > 0 {
            let record = places + place * ${recordBytes(bytes)}
            unroll a of 0..${dimension} { let d[a] = f64(number[record + ${bytes} * a]) - centre[a] }
            moment[0] += weight
            unroll a of 0..${dimension} {
              let moved = weight * d[a]
              moment[${first}(a)] += moved
              unroll b of 0..a + 1 { moment[${second}(a, b)] += moved * d[b] }
            }
          }
        }
        unroll n of 0..${moments} { f64[own + 8 * n] = moment[n] }
      }
    }`
}

/** Moves the moments of a child to the centre of its parent. */
function defineNode({ writer, dimension }: SchemeOptions): Callable {
  const moments = momentsIn(dimension)
  const { first, second } = numbersOf(dimension)
  return define(writer.module)`
    fn simplexNode(block, scratch, inner, innerState, node, state) {
      unroll a of 0..${dimension} { let d[a] = f64[inner + 8 * a] - f64[node + 8 * a] }
      for group in 0..i32[block + ${writer.offset('groups')}] {
        let from = innerState + group * ${8 * moments}
        let to = state + group * ${8 * moments}
        let total = f64[from]
        unroll a of 0..${dimension} { let m[a] = f64[from + 8 * ${first}(a)] }
        f64[to] += total
        unroll a of 0..${dimension} {
          let moved = total * d[a]
          f64[to + 8 * ${first}(a)] += m[a] + moved
          unroll b of 0..a + 1 {
            const mixed = m[a] * d[b] + d[a] * m[b]
            f64[to + 8 * ${second}(a, b)] += f64[from + 8 * ${second}(a, b)] + mixed + moved * d[b]
          }
        }
      }
    }`
}

function definePlace({ writer, dimension, weights }: SchemeOptions): Callable {
  const { bytes, number } = writer.vector
  const slot = (name: string) => writer.offset(name)
  const { first, second } = numbersOf(dimension)
  const corners = simplexCorners[dimension] as readonly (readonly number[])[]
  const along = (_: FunctionBuilder, corner: number, axis: number) => corners[corner]?.[axis]
  return define(writer.module)`
    scalar number = ${number}
    fn simplexPlace(block, scratch, node, state, proxy) {
      const dimension = ${dimension}
      let scheme = i32[block + ${slot('scheme')}]
      let position = i32[block + ${slot('proxy.position')}]
      const arrays = ${weights.map((name) => slot(`proxy.${name}`))}
      unroll w of 0..${weights.length} { let array[w] = i32[block + arrays[w]] }
      for group in 0..i32[block + ${slot('groups')}] {
        let weightAt = i32[scheme + group * ${groupBytes} + ${schemeNumbers.groups}]
        let moments = state + group * ${8 * momentsIn(dimension)}
        let total = f64[moments]
        let share = total == 0 ? 0 : 1 / total
        unroll a of 0..dimension { let mean[a] = f64[moments + 8 * ${first}(a)] * share }
        // Cholesky's decomposition of the second moments about the centre.
        unroll n of 0..${dimension ** 2} { var root[n]: f64 }
        unroll a of 0..dimension {
          unroll b of 0..a + 1 {
            let raw = f64[moments + 8 * ${second}(a, b)] * share
            const left[0] = raw - mean[a] * mean[b]
            unroll c of 0..b { const left[c + 1] = left[c] - root[dimension * a + c] * root[dimension * b + c] }
            let rest = left[b]
            if a == b { root[dimension * a + a] = rest > ${simplexFlat} * raw ? sqrt(rest) : 0 } else {
              root[dimension * a + b] = root[dimension * b + b] == 0 ? 0 : rest / root[dimension * b + b]
            }
          }
        }
        let start = proxy + group * ${corners.length}
        let weight = total * ${1 / corners.length}
        unroll corner of 0..${corners.length} {
          let own = start + corner
          let to = position + own * ${dimension * bytes}
          unroll axis of 0..dimension {
            const x[0] = f64[node + 8 * axis] + mean[axis]
            unroll a of 0..axis + 1 { const x[a + 1] = x[a] + ${along}(corner, a) * root[dimension * axis + a] }
            number[to + axis * ${bytes}] = number(x[axis + 1])
          }
          unroll w of 0..${weights.length} {
            const mine = weightAt == ${bytes} * w ? weight : 0
            number[array[w] + own * ${bytes}] = number(mine)
          }
        }
      }
    }`
}
