/**
 * The loop of stencils: visits each cell of a grid together with its neighbours. Units of work are rows of cells along x.
 *
 * A row is first copied to scratch with one more cell at each end, so that neighbours along x are ordinary loads. Neighbours
 * along y and z are in other rows, which depend on the edges. A result that replaces the field itself is computed elsewhere,
 * and a second phase copies it.
 *
 * @module
 */
import type { StencilWorkload } from '@manybody/core'
import { stencilBody } from '@manybody/core/expression'
import { slack } from '../../design/memory.ts'
import { ModuleWriter, type WriterOptions } from '../expressions/module-writer.ts'
import { element, loadElements, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
import type { ElementLoop } from './particle-loop.ts'

/** Writes the module of a stencil. */
export function stencilLoop(workload: StencilWorkload, options: WriterOptions): ElementLoop {
  const { cells, edges } = workload.grid
  const [nx = 1, ny = 1, nz = 1] = cells
  const body = stencilBody(workload, 'sqrt')
  const writer = new ModuleWriter(options)
  const { vector } = writer
  const rowBytes = nx * vector.bytes
  const results = Object.entries(body.outputs).map(
    ([name, components]) => ({ name, entries: components.length, type: 'number', empty: 0 }) as const,
  )
  writer.phase('elements', (code, { block, scratch, first, last }) => {
    const field = writer.slot(code, block, 'target.field')
    const to = results.map(({ name }) => writer.slot(code, block, `result.${name}`))
    const numbers = writer.numbers(code, block, body.run)
    const rowAt = (row: Node) => code.let('i32', 'row', plus(field, times(row, rowBytes)))
    code.for('n', first, last, 1, (row) => {
      const here = rowAt(row)
      const middle = code.let('i32', 'middle', plus(scratch, vector.bytes))
      copyRow(code, writer, { here, middle, nx, edges })
      const iy = code.let('i32', 'iy', op('i32.rem_u', row, i32(ny)))
      const plane = code.let('i32', 'plane', op('i32.sub', row, iy))
      const iz = code.let('i32', 'iz', op('i32.div_u', row, i32(ny)))
      const beside = (k: Node, cells: number, step: 1 | -1) => neighbour(k, cells, step, edges)
      const along = (axis: 'y' | 'z', step: 1 | -1) =>
        axis === 'y' ? rowAt(plus(plane, beside(iy, ny, step))) : rowAt(plus(times(beside(iz, nz, step), ny), iy))
      const rows = new Map<string, Node>([
        ['c', middle],
        ['xm', scratch],
        ['xp', plus(scratch, 2 * vector.bytes)],
      ])
      for (const axis of ['y', 'z'] as const)
        for (const [side, step] of [
          ['m', -1],
          ['p', 1],
        ] as const)
          if (body.loads.includes(`${axis}${side}`)) rows.set(`${axis}${side}`, along(axis, step))
      const start = code.let('i32', 'start', times(row, nx))
      code.for('x', i32(0), i32(nx), vector.lanes, (x) => {
        const values = new Map(numbers)
        for (const name of body.loads) {
          const address = element(code, rows.get(name) ?? middle, x, vector.bytes)
          values.set(name, code.let('v128', name, loadElements(code, vector, { address, stride: 1, offset: 0 })))
        }
        const value = writer.evaluate(code, values, body.loop)
        const stores = results.flatMap(({ name, entries }, k) => {
          const address = element(code, to[k] ?? i32(0), plus(start, x), entries * vector.bytes)
          return (body.outputs[name] ?? []).map((e, c) =>
            strided(code, vector, { address, stride: entries, offset: c * vector.bytes }, value(e)),
          )
        })
        storeElements(code, vector, op('i32.sub', i32(nx), x), stores)
      })
    })
  })
  writer.phase('copy', (code, { block, first, last }) => {
    const rows = op('i32.sub', last, first)
    for (const { name, entries } of results) {
      const bytes = entries * rowBytes
      const from = plus(writer.slot(code, block, `result.${name}`), times(first, bytes))
      const to = plus(writer.slot(code, block, `final.${name}`), times(first, bytes))
      code.emit(op('memory.copy', to, from, times(rows, bytes)))
    }
  })
  return { writer, body, results, arrays: ['field'], scratchBytes: rowBytes + 2 * vector.bytes + slack }
}

interface Row {
  readonly here: Node
  readonly middle: Node
  readonly nx: number
  readonly edges: 'periodic' | 'clamp'
}

/** Copies a row to scratch, and sets the cells beyond its ends. */
function copyRow(code: FunctionBuilder, { vector }: ModuleWriter, { here, middle, nx, edges }: Row): void {
  const scalar = vector.bytes === 4 ? 'f32' : 'f64'
  const cell = (x: number) => at(`${scalar}.load`, x * vector.bytes, here)
  const [below, above] = edges === 'periodic' ? [nx - 1, 0] : [0, nx - 1]
  code.emit(op('memory.copy', middle, here, i32(nx * vector.bytes)))
  code.emit(at(`${scalar}.store`, 0, op('i32.sub', middle, i32(vector.bytes)), cell(below)))
  code.emit(at(`${scalar}.store`, nx * vector.bytes, middle, cell(above)))
}

/** The index of the next or previous cell along an axis. */
function neighbour(k: Node, cells: number, step: 1 | -1, edges: Row['edges']): Node {
  const [edge, beyond] = step === 1 ? [cells - 1, 0] : [0, cells - 1]
  const outside = i32(edges === 'periodic' ? beyond : edge)
  return op('select', outside, plus(k, step), op('i32.eq', k, i32(edge)))
}
