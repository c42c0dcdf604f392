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
import { value, write } from '../language/kernel.ts'
import { bytesOf, loadPoint, type PointValues } from '../parts/points.ts'
import { loopNumbers, pairTerms } from '../parts/tile.ts'
import { pairFolds } from '../parts/vectors.ts'
import { element, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, type Node } from '../wasm/nodes.ts'

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
    const [targetBase, sourceBase, result] = [slot('targets'), slot('sources'), slot('result.value')]
    const [count, targetFirst, sourceFirst, columns] = [
      slot('sourceCount'),
      slot('targetFirst'),
      slot('sourceFirst'),
      slot('columns'),
    ]
    const numbers = loopNumbers(writer, code, block, body)
    const meetRow = (code: FunctionBuilder, row: Node) => {
      const point = element(code, targetBase, row, bytesOf(writer, targets))
      const here = loadPoint(writer, targets, point).map(([n, load]) => [n, code.let('v128', n, load)] as const)
      const start = value(code)`
        let start = ${result} + (${row} * ${columns} + ${sourceFirst}) * ${vector.bytes}
        start`
      const registerOf = (code: FunctionBuilder, column: Node): Node => value(code)`
        let register = ${column} / ${vector.lanes}
        let at = ${sourceBase} + register * ${bytesOf(writer, sources)}
        at`
      /** The folds of the row with several registers of sources, from this column on. */
      const foldsOf = (code: FunctionBuilder, column: Node, count: number): readonly Values[] =>
        body.folds.every(({ side }) => side)
          ? []
          : pairFolds(code, {
              ...{ writer, folds: body.folds, numbers },
              record: { vectors: targets.vectors, address: point },
              registers: {
                vectors: sources.vectors,
                address: registerOf(code, column),
                count,
                bytes: bytesOf(writer, sources),
              },
            })
      const term = (code: FunctionBuilder, column: Node, u: number, folded: Values = new Map()): Node => {
        const there = registerOf(code, column)
        const loaded = loadPoint(writer, sources, there).map(([n, load]) => [n, code.let('v128', n, load)] as const)
        const values = new Map([...numbers, ...here, ...loaded, ...folded])
        return pairTerms({ ...options, additive: true }, code, values, `${u}`, undefined, column).terms[0] ?? i32(0)
      }
      // Several registers at a time hide the latency of a long term. The rest is written lane by lane.
      const storeGroup = (code: FunctionBuilder, there: Node, column: Node) => {
        const folded = foldsOf(code, column, registers)
        for (let u = 0; u < registers; u++) {
          const next = value(code)`
            let next = ${column} + ${u * vector.lanes}
            next`
          write(code)`v128[${there} + ${u * vector.width}] = ${term(code, next, u, folded[u])}`
        }
      }
      const storeSome = (code: FunctionBuilder, address: Node, column: Node, to: Node) => {
        const found = term(code, column, 0, foldsOf(code, column, 1)[0])
        const store = strided(code, vector, { address, stride: 1, offset: 0 }, found)
        storeElements(code, vector, value(code)`${to} - ${column}`, [store])
      }
      /** Writes the terms of the columns up to `to`: of all columns, or from `from` on, which is a multiple of the lanes. */
      const columnsTo = (code: FunctionBuilder, address: Node, to: Node, from?: Node) => {
        const since = (code: FunctionBuilder, column: Node) => (from ? value(code)`${column} - ${from}` : column)
        const begin = from ?? i32(0)
        const group = registers * vector.lanes
        write(code)`
          let whole = ${to} - ${since}(${to}) % ${group}
          for column in ${begin}..whole step ${group} {
            let there = ${address} + ${since}(column) * ${vector.bytes}
            ${storeGroup}(there, column)
          }
          for column in whole..${to} step ${vector.lanes} {
            let there = ${address} + ${since}(column) * ${vector.bytes}
            ${storeSome}(there, column, ${to})
          }`
      }
      if (ranged)
        write(code)`
          if !i32[${block} + ${writer.offset('merge')}] { memory.fill(${start}, 0, ${count} * ${vector.bytes}) }
          let number = i32[i32[${block} + ${writer.offset('rangeBlocks')}] + ${row} * 4]
          let own = i32[${block} + ${writer.offset('rangeOffsets')}] + number * 4
          for range in i32[own]..i32[own + 4] {
            let pair = i32[${block} + ${writer.offset('rangeSources')}] + range * 8
            let from = i32[pair]
            let to = i32[pair + 4]
            for part in from & ${-vector.lanes}..to step ${partColumns} {
              const next = part + ${partColumns}
              let end = next < to ? next : to
              ${columnsTo}(${scratch}, end, part)
              let begin = max(part, from)
              let kept = ${scratch} + (begin - part) * ${vector.bytes}
              let into = ${start} + begin * ${vector.bytes}
              memory.copy(into, kept, (end - begin) * ${vector.bytes})
            }
          }`
      else columnsTo(code, start, count)
      const leaveOut = (code: FunctionBuilder, source: Node) => write(code)`
        scalar number = ${vector.number}
        let j = ${source} - ${sourceFirst}
        if j < ${count} { number[${start} + j * ${vector.bytes}] = 0 }`
      const i = value(code)`
        let i = ${targetFirst} + ${row}
        i`
      if (body.skipSelf) leaveOut(code, i)
      if (exclusions)
        write(code)`
          let offsets = i32[${block} + ${writer.offset('exclusionOffsets')}]
          let list = i32[${block} + ${writer.offset('exclusionSources')}]
          let place = offsets + ${i} * 4
          for n in i32[place]..i32[place + 4] { ${leaveOut}(i32[list + n * 4]) }`
    }
    write(code)`for row in ${first}..${last} { ${meetRow}(row) }`
  })
  return ranged ? partColumns * writer.vector.bytes : 0
}
