/**
 * The loop of an interaction matrix. Sources are in lanes, so that a row is written from left to right.
 *
 * A unit of the phase `pairs` is one row, which belongs to one target. After a row, the entries of left-out pairs are set to 0.
 * If the caller gives ranges, a row is first set to 0. Then only the columns in its ranges are computed, in scratch because a
 * range may begin inside a register.
 *
 * @module
 */
import type { PairBody } from '@manybody/core/expression'
import type { ModuleWriter, Values } from '../expressions/module-writer.ts'
import { element, storeElements, strided } from '../wasm/elements.ts'
import { at, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
import { bytesOf, loadPoint, type PointValues } from './points.ts'
import { loopNumbers, pairTerms } from './tile.ts'
import { pairFolds } from './vectors.ts'

export interface MatrixOptions {
  readonly writer: ModuleWriter
  readonly body: PairBody
  readonly targets: PointValues
  readonly sources: PointValues
  readonly dimension: number
  readonly exclusions: boolean
  /** Whether the caller gives ranges. */
  readonly ranged: boolean
}

/** Number of registers of sources in the loop along a row. */
const registers = 4

/** Number of columns in scratch. */
const partColumns = 256

/** Adds the phase `pairs`. Returns the bytes of its scratch. */
export function defineMatrix(options: MatrixOptions): number {
  const { writer, body, targets, sources, exclusions, ranged } = options
  const { vector } = writer
  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [targetBase, sourceBase, value] = [slot('targets'), slot('sources'), slot('result.value')]
    const [count, targetFirst, sourceFirst, columns] = [
      slot('sourceCount'),
      slot('targetFirst'),
      slot('sourceFirst'),
      slot('columns'),
    ]
    const numbers = loopNumbers(writer, code, block, body)
    code.for('row', first, last, 1, (row) => {
      const point = element(code, targetBase, row, bytesOf(writer, targets))
      const here = loadPoint(writer, targets, point).map(([n, load]) => [n, code.let('v128', n, load)] as const)
      const start = code.let(
        'i32',
        'start',
        plus(value, times(plus(op('i32.mul', row, columns), sourceFirst), vector.bytes)),
      )
      const registerOf = (column: Node): Node => {
        const register = code.let('i32', 'register', op('i32.div_u', column, i32(vector.lanes)))
        return element(code, sourceBase, register, bytesOf(writer, sources))
      }
      /** The folds of the row with several registers of sources, from this column on. */
      const foldsOf = (column: Node, count: number): readonly Values[] =>
        body.folds.every(({ side }) => side)
          ? []
          : pairFolds(code, {
              ...{ writer, folds: body.folds, numbers },
              record: { vectors: targets.vectors, address: point },
              registers: {
                vectors: sources.vectors,
                address: registerOf(column),
                count,
                bytes: bytesOf(writer, sources),
              },
            })
      const term = (column: Node, u: number, folded: Values = new Map()): Node => {
        const there = registerOf(column)
        const loaded = loadPoint(writer, sources, there).map(([n, load]) => [n, code.let('v128', n, load)] as const)
        const values = new Map([...numbers, ...here, ...loaded, ...folded])
        return pairTerms({ ...options, additive: true }, code, values, `${u}`, undefined, column).terms[0] ?? i32(0)
      }
      // Several registers at a time hide the latency of a long term. The rest is written lane by lane.
      const group = registers * vector.lanes
      /** Writes the terms of the columns up to `to`: of all columns, or from `from` on, which is a multiple of the lanes. */
      const columnsTo = (address: Node, to: Node, from?: Node) => {
        const since = (column: Node) => (from ? op('i32.sub', column, from) : column)
        const whole = code.let('i32', 'whole', op('i32.sub', to, op('i32.rem_u', since(to), i32(group))))
        const place = (column: Node) => element(code, address, since(column), vector.bytes)
        code.for('column', from ?? i32(0), whole, group, (column) => {
          const there = place(column)
          const folded = foldsOf(column, registers)
          for (let u = 0; u < registers; u++)
            code.emit(
              at(
                'v128.store',
                u * vector.width,
                there,
                term(code.let('i32', 'next', plus(column, u * vector.lanes)), u, folded[u]),
              ),
            )
        })
        code.for('column', whole, to, vector.lanes, (column) => {
          const there = { address: place(column), stride: 1, offset: 0 }
          storeElements(code, vector, op('i32.sub', to, column), [
            strided(code, vector, there, term(column, 0, foldsOf(column, 1)[0])),
          ])
        })
      }
      if (ranged) {
        code.if(op('i32.eqz', slot('merge')), () =>
          code.emit(op('memory.fill', start, i32(0), times(count, vector.bytes))),
        )
        const number = code.let('i32', 'number', at('i32.load', 0, plus(slot('rangeBlocks'), times(row, 4))))
        const own = code.let('i32', 'own', plus(slot('rangeOffsets'), times(number, 4)))
        code.for('range', at('i32.load', 0, own), at('i32.load', 4, own), 1, (range) => {
          const pair = code.let('i32', 'pair', plus(slot('rangeSources'), times(range, 8)))
          const from = code.let('i32', 'rangeFrom', at('i32.load', 0, pair))
          const to = code.let('i32', 'rangeTo', at('i32.load', 4, pair))
          const aligned = op('i32.and', from, i32(-vector.lanes))
          code.for('part', aligned, to, partColumns, (part) => {
            const next = plus(part, partColumns)
            const end = code.let('i32', 'partEnd', op('select', next, to, op('i32.lt_u', next, to)))
            columnsTo(scratch, end, part)
            const begin = code.let('i32', 'partFrom', op('select', part, from, op('i32.gt_u', part, from)))
            const kept = element(code, scratch, op('i32.sub', begin, part), vector.bytes)
            const bytes = times(op('i32.sub', end, begin), vector.bytes)
            code.emit(op('memory.copy', element(code, start, begin, vector.bytes), kept, bytes))
          })
        })
      } else columnsTo(start, count)
      const i = code.let('i32', 'i', plus(targetFirst, row))
      const leaveOut = (source: Node) => {
        const j = code.let('i32', 'j', op('i32.sub', source, sourceFirst))
        const zero: Node = { kind: 'constant', type: vector.bytes === 4 ? 'f32' : 'f64', value: 0 }
        const store = at(vector.bytes === 4 ? 'f32.store' : 'f64.store', 0, plus(start, times(j, vector.bytes)), zero)
        code.if(op('i32.lt_u', j, count), () => code.emit(store))
      }
      if (body.skipSelf) leaveOut(i)
      if (exclusions) {
        const [offsets, list] = [slot('exclusionOffsets'), slot('exclusionSources')]
        const place = code.let('i32', 'place', plus(offsets, times(i, 4)))
        code.for('n', at('i32.load', 0, place), at('i32.load', 4, place), 1, (n) =>
          leaveOut(at('i32.load', 0, plus(list, times(n, 4)))),
        )
      }
    })
  })
  return ranged ? partColumns * writer.vector.bytes : 0
}
