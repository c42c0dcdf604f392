/**
 * The loop of an interaction matrix. Sources are in lanes, so that a row is written from left to right.
 *
 * The units of the phase `pairs` are rows, of one target each. After a row, the entries of left-out pairs are set to 0.
 *
 * @module
 */
import type { PairBody } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { element, storeElements, strided } from '../wasm/elements.ts'
import { at, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
import { bytesOf, loadPoint, type PointValues } from './points.ts'
import { pairTerms } from './tile.ts'

export interface MatrixOptions {
  readonly writer: ModuleWriter
  readonly body: PairBody
  readonly targets: PointValues
  readonly sources: PointValues
  readonly dimension: number
  readonly exclusions: boolean
}

/** Number of registers of sources in the loop along a row. */
const registers = 4

/** Adds the phase `pairs`. */
export function defineMatrix(options: MatrixOptions): void {
  const { writer, body, targets, sources, exclusions } = options
  const { v } = writer
  writer.phase('pairs', (f, { block, first, last }) => {
    const slot = (name: string) => writer.slot(f, block, name)
    const [targetBase, sourceBase, value] = [slot('targets'), slot('sources'), slot('result.value')]
    const [count, targetFirst, sourceFirst, columns] = [
      slot('sourceCount'),
      slot('targetFirst'),
      slot('sourceFirst'),
      slot('columns'),
    ]
    const numbers = writer.numbers(f, block, body.run)
    f.for('row', first, last, 1, (row) => {
      const point = element(f, targetBase, row, bytesOf(writer, targets))
      const here = loadPoint(writer, targets, point).map(([n, load]) => [n, f.let('v128', n, load)] as const)
      const start = f.let('i32', 'start', plus(value, times(plus(op('i32.mul', row, columns), sourceFirst), v.bytes)))
      const term = (column: Node, u: number): Node => {
        const register = f.let('i32', 'register', op('i32.div_u', column, i32(v.lanes)))
        const there = element(f, sourceBase, register, bytesOf(writer, sources))
        const loaded = loadPoint(writer, sources, there).map(([n, load]) => [n, f.let('v128', n, load)] as const)
        const values = new Map([...numbers, ...here, ...loaded])
        return pairTerms({ ...options, additive: true }, f, values, `${u}`, undefined, column).terms[0] ?? i32(0)
      }
      // Several registers at a time hide the latency of a long term. The rest of the row is written lane by lane.
      const group = registers * v.lanes
      const whole = f.let('i32', 'whole', op('i32.sub', count, op('i32.rem_u', count, i32(group))))
      f.for('column', i32(0), whole, group, (column) => {
        const address = element(f, start, column, v.bytes)
        for (let u = 0; u < registers; u++)
          f.emit(at('v128.store', u * v.width, address, term(f.let('i32', 'next', plus(column, u * v.lanes)), u)))
      })
      f.for('column', whole, count, v.lanes, (column) => {
        const to = { address: element(f, start, column, v.bytes), stride: 1, offset: 0 }
        storeElements(f, v, op('i32.sub', count, column), [strided(f, v, to, term(column, 0))])
      })
      const i = f.let('i32', 'i', plus(targetFirst, row))
      const leaveOut = (source: Node) => {
        const j = f.let('i32', 'j', op('i32.sub', source, sourceFirst))
        const zero: Node = { kind: 'constant', type: v.bytes === 4 ? 'f32' : 'f64', value: 0 }
        const store = at(v.bytes === 4 ? 'f32.store' : 'f64.store', 0, plus(start, times(j, v.bytes)), zero)
        f.if(op('i32.lt_u', j, count), () => f.emit(store))
      }
      if (body.skipSelf) leaveOut(i)
      if (exclusions) {
        const [offsets, list] = [slot('exclusionOffsets'), slot('exclusionSources')]
        const place = f.let('i32', 'place', plus(offsets, times(i, 4)))
        f.for('n', at('i32.load', 0, place), at('i32.load', 4, place), 1, (n) =>
          leaveOut(at('i32.load', 0, plus(list, times(n, 4)))),
        )
      }
    })
  })
}
