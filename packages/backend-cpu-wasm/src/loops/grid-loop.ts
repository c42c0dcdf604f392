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
import { stencilBody } from '@manybody/core/backend'
import { ModuleWriter, type WriterOptions } from '../expressions/module-writer.ts'
import { element, loadElements, slack, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
import type { ElementLoop } from './particle-loop.ts'

/** Writes the module of a stencil. */
export function stencilLoop(workload: StencilWorkload, options: WriterOptions): ElementLoop {
  const { cells, edges } = workload.grid
  const [nx = 1, ny = 1, nz = 1] = cells
  const body = stencilBody(workload, 'sqrt')
  const writer = new ModuleWriter(options)
  const { v } = writer
  const rowBytes = nx * v.bytes
  const results = Object.entries(body.outputs).map(
    ([name, components]) => ({ name, entries: components.length, type: 'number', empty: 0 }) as const,
  )
  writer.phase('elements', (f, { block, scratch, first, last }) => {
    const field = writer.slot(f, block, 'target.field')
    const to = results.map(({ name }) => writer.slot(f, block, `result.${name}`))
    const numbers = writer.numbers(f, block, body.run)
    const rowAt = (row: Node) => f.let('i32', 'row', plus(field, times(row, rowBytes)))
    f.for('n', first, last, 1, (row) => {
      const here = rowAt(row)
      const middle = f.let('i32', 'middle', plus(scratch, v.bytes))
      copyRow(f, writer, { here, middle, nx, edges })
      const iy = f.let('i32', 'iy', op('i32.rem_u', row, i32(ny)))
      const plane = f.let('i32', 'plane', op('i32.sub', row, iy))
      const iz = f.let('i32', 'iz', op('i32.div_u', row, i32(ny)))
      const beside = (k: Node, cells: number, step: 1 | -1) => neighbour(k, cells, step, edges)
      const along = (axis: 'y' | 'z', step: 1 | -1) =>
        axis === 'y' ? rowAt(plus(plane, beside(iy, ny, step))) : rowAt(plus(times(beside(iz, nz, step), ny), iy))
      const rows = new Map<string, Node>([
        ['c', middle],
        ['xm', scratch],
        ['xp', plus(scratch, 2 * v.bytes)],
      ])
      for (const axis of ['y', 'z'] as const)
        for (const [side, step] of [
          ['m', -1],
          ['p', 1],
        ] as const)
          if (body.loads.includes(`${axis}${side}`)) rows.set(`${axis}${side}`, along(axis, step))
      const start = f.let('i32', 'start', times(row, nx))
      f.for('x', i32(0), i32(nx), v.lanes, (x) => {
        const values = new Map(numbers)
        for (const name of body.loads) {
          const address = element(f, rows.get(name) ?? middle, x, v.bytes)
          values.set(name, f.let('v128', name, loadElements(f, v, { address, stride: 1, offset: 0 })))
        }
        const value = writer.evaluate(f, values, body.loop)
        const stores = results.flatMap(({ name, entries }, k) => {
          const address = element(f, to[k] ?? i32(0), plus(start, x), entries * v.bytes)
          return (body.outputs[name] ?? []).map((e, c) =>
            strided(f, v, { address, stride: entries, offset: c * v.bytes }, value(e)),
          )
        })
        storeElements(f, v, op('i32.sub', i32(nx), x), stores)
      })
    })
  })
  writer.phase('copy', (f, { block, first, last }) => {
    const rows = op('i32.sub', last, first)
    for (const { name, entries } of results) {
      const bytes = entries * rowBytes
      const from = plus(writer.slot(f, block, `result.${name}`), times(first, bytes))
      const to = plus(writer.slot(f, block, `final.${name}`), times(first, bytes))
      f.emit(op('memory.copy', to, from, times(rows, bytes)))
    }
  })
  return { writer, body, results, arrays: ['field'], scratchBytes: rowBytes + 2 * v.bytes + slack }
}

interface Row {
  readonly here: Node
  readonly middle: Node
  readonly nx: number
  readonly edges: 'periodic' | 'clamp'
}

/** Copies a row to scratch, and sets the cells beyond its ends. */
function copyRow(f: FunctionBuilder, { v }: ModuleWriter, { here, middle, nx, edges }: Row): void {
  const scalar = v.bytes === 4 ? 'f32' : 'f64'
  const cell = (x: number) => at(`${scalar}.load`, x * v.bytes, here)
  const [below, above] = edges === 'periodic' ? [nx - 1, 0] : [0, nx - 1]
  f.emit(op('memory.copy', middle, here, i32(nx * v.bytes)))
  f.emit(at(`${scalar}.store`, 0, op('i32.sub', middle, i32(v.bytes)), cell(below)))
  f.emit(at(`${scalar}.store`, nx * v.bytes, middle, cell(above)))
}

/** The index of the next or previous cell along an axis. */
function neighbour(k: Node, cells: number, step: 1 | -1, edges: Row['edges']): Node {
  const [edge, beyond] = step === 1 ? [cells - 1, 0] : [0, cells - 1]
  const outside = i32(edges === 'periodic' ? beyond : edge)
  return op('select', outside, plus(k, step), op('i32.eq', k, i32(edge)))
}
