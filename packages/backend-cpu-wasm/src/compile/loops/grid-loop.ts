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
import { slack } from '../../design/memory-sizes.ts'
import { ModuleWriter, type WriterOptions } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import { element, loadElements, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, type Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import type { ElementLoop } from './particle-loop.ts'

/** Writes the module of a stencil. */
export function stencilLoop(workload: StencilWorkload, options: WriterOptions): ElementLoop {
  const { cells, edges } = workload.grid
  const [nx = 1, ny = 1, nz = 1] = cells
  const body = stencilBody(workload, 'sqrt')
  const writer = new ModuleWriter(options)
  const { vector } = writer
  const rowBytes = nx * vector.bytes
  const copyRow = rowCopier(vector, nx, edges)
  const results = Object.entries(body.outputs).map(
    ([name, components]) => ({ name, entries: components.length, type: 'number', empty: 0 }) as const,
  )
  writer.phase('elements', (code, { block, scratch, first, last }) => {
    const field = writer.slot(code, block, 'target.field')
    const to = results.map(({ name }) => writer.slot(code, block, `result.${name}`))
    const numbers = writer.numbers(code, block, body.run)
    const rowAt = (code: FunctionBuilder, row: Node) => value(code)`
      let row = ${field} + ${row} * ${rowBytes}
      row`
    const eachCell = (code: FunctionBuilder, row: Node, middle: Node, iy: Node, plane: Node, iz: Node) => {
      const beside = (k: Node, cells: number, step: 1 | -1) => neighbour(code, k, cells, step, edges)
      const along = (axis: 'y' | 'z', step: 1 | -1) =>
        axis === 'y'
          ? rowAt(code, value(code)`${plane} + ${beside(iy, ny, step)}`)
          : rowAt(code, value(code)`${beside(iz, nz, step)} * ${ny} + ${iy}`)
      const rows = new Map<string, Node>([
        ['c', middle],
        ['xm', scratch],
        ['xp', value(code)`${scratch} + ${2 * vector.bytes}`],
      ])
      for (const axis of ['y', 'z'] as const)
        for (const [side, step] of [
          ['m', -1],
          ['p', 1],
        ] as const)
          if (body.loads.includes(`${axis}${side}`)) rows.set(`${axis}${side}`, along(axis, step))
      const cell = (code: FunctionBuilder, x: Node, start: Node) => {
        const values = new Map(numbers)
        for (const name of body.loads) {
          const address = element(code, rows.get(name) ?? middle, x, vector.bytes)
          values.set(name, code.let('v128', name, loadElements(code, vector, { address, stride: 1, offset: 0 })))
        }
        const found = writer.evaluate(code, values, body.loop)
        const stores = results.flatMap(({ name, entries }, k) => {
          const address = element(code, to[k] ?? i32(0), value(code)`${start} + ${x}`, entries * vector.bytes)
          return (body.outputs[name] ?? []).map((e, c) =>
            strided(code, vector, { address, stride: entries, offset: c * vector.bytes }, found(e)),
          )
        })
        storeElements(code, vector, value(code)`${nx} - ${x}`, stores)
      }
      write(code)`
        let start = ${row} * ${nx}
        for x in 0..${nx} step ${vector.lanes} { ${cell}(x, start) }`
    }
    write(code)`
      for row in ${first}..${last} {
        let here: i32 = ${rowAt}(row)
        let middle = ${scratch} + ${vector.bytes}
        ${copyRow}(here, middle)
        let iy = row % ${ny}
        let plane = row - iy
        let iz = row / ${ny}
        ${eachCell}(row, middle, iy, plane, iz)
      }`
  })
  writer.phase('copy', (code, { block, first, last }) => {
    for (const { name, entries } of results) {
      const [from, to] = ['result', 'final'].map((at) => writer.slot(code, block, `${at}.${name}`)) as [Node, Node]
      const bytes = entries * rowBytes
      write(code)`
        memory.copy(${to} + ${first} * ${bytes}, ${from} + ${first} * ${bytes}, (${last} - ${first}) * ${bytes})`
    }
  })
  return { writer, body, results, arrays: ['field'], scratchBytes: rowBytes + 2 * vector.bytes + slack }
}

/** Copies a row to scratch, and sets the cells beyond its ends. */
const rowCopier = ({ bytes, number: scalar }: Vector, nx: number, edges: Edges) => {
  const [below, above] = edges === 'periodic' ? [nx - 1, 0] : [0, nx - 1]
  return (code: FunctionBuilder, here: Node, middle: Node): void => write(code)`
    scalar number = ${scalar}
    const here = ${here} as i32
    const middle = ${middle} as i32
    memory.copy(middle, here, ${nx * bytes})
    number[middle - ${bytes}] = number[here + ${below * bytes}]
    number[middle + ${nx * bytes}] = number[here + ${above * bytes}]`
}

type Edges = StencilWorkload['grid']['edges']

/** The index of the next or previous cell along an axis. */
function neighbour(code: FunctionBuilder, k: Node, cells: number, step: 1 | -1, edges: Edges): Node {
  const [edge, beyond] = step === 1 ? [cells - 1, 0] : [0, cells - 1]
  const outside = edges === 'periodic' ? beyond : edge
  return value(code)`${k} as i32 == ${edge} ? ${outside} : ${k} + ${step}`
}
