/**
 * Loops over points: maps, and the grid cell of each point. Units of work are registers of points.
 *
 * All outputs of a register are computed before the first is stored, so that an array may be read and written in place.
 *
 * @module
 */
import type { CellIndexWorkload, MapWorkload, Shape } from '@manybody/core'
import { cellBody, type ElementBody, type LoadPlace, loadPlace, mapBody } from '@manybody/core/expression'
import type { ResultLayout } from '../../design/design.ts'
import { ModuleWriter, type WriterOptions } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import {
  element,
  gatherElements,
  integers,
  loadElements,
  type Store,
  storeElements,
  strided,
} from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, type Node } from '../wasm/nodes.ts'

/** The loop of a workload that visits each element once. */
export interface ElementLoop {
  readonly writer: ModuleWriter
  readonly body: ElementBody
  readonly results: readonly ResultLayout[]
  /** Names of the arrays that it reads. */
  readonly arrays: readonly string[]
  /** Arrays that it gathers from the sources, with their components. */
  readonly gathered?: ReadonlyMap<string, number>
  /** Bytes of scratch that a thread needs. */
  readonly scratchBytes: number
}

/** Writes the module of a map. */
export function mapLoop(workload: MapWorkload, shape: Shape, options: WriterOptions): ElementLoop {
  const body = mapBody(workload, shape, 'sqrt')
  const { vector } = options
  const results = Object.entries(body.outputs).map(
    ([name, components]) => ({ name, entries: components.length, type: 'number', empty: 0 }) as const,
  )
  const placeOf = (load: string) => loadPlace(load, workload, shape)
  return elementLoop(body, shape, placeOf, options, results, (code, found, register) =>
    results.flatMap(({ name, entries }) => {
      const address = element(code, register.result(name), register.start, entries * vector.bytes)
      return (body.outputs[name] ?? []).map((e, c) =>
        strided(code, vector, { address, stride: entries, offset: c * vector.bytes }, found(e)),
      )
    }),
  )
}

/** Writes the module of a cell index: `ix + nx*(iy + ny*iz)`, computed in integers. */
export function cellLoop({ grid }: CellIndexWorkload, shape: Shape, options: WriterOptions): ElementLoop {
  const body = cellBody(grid)
  const { vector } = options
  return elementLoop(
    body,
    shape,
    (load) => loadPlace(load, {}, { vectors: ['position'] }),
    options,
    [{ name: 'index', entries: 1, type: 'i32', empty: -1 }],
    (code, found, register) => {
      const axes = (body.outputs.index ?? []).map(
        (e) => value(code)`
          const place = ${found(e)}
          const narrow = i32x4.trunc_sat_f32x4_s(place) as v128
          const wide = i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(place)) as v128
          let cell = ${vector.bytes === 4} ? narrow : wide
          cell`,
      )
      // Cell numbers are below 2^31, so the lower half of wider lanes is enough.
      const index = axes.reduceRight((cell, along, axis) => {
        const cells = grid.cells[axis] ?? 1
        return value(code)`${along} as i32x4 + i32x4(${cells}) * (${cell} as i32x4)`
      })
      return [integers(code, vector, element(code, register.result('index'), register.start, 4), index)]
    },
  )
}

/** One register of points. */
interface PointRegister {
  readonly start: Node
  readonly result: (name: string) => Node
}

function elementLoop(
  body: ElementBody,
  { dimension, sources }: Shape,
  placeOf: (load: string) => LoadPlace,
  options: WriterOptions,
  results: readonly ResultLayout[],
  stores: (
    code: FunctionBuilder,
    found: ReturnType<ModuleWriter['evaluate']>,
    register: PointRegister,
  ) => readonly Store[],
): ElementLoop {
  const writer = new ModuleWriter(options)
  const { vector } = writer
  const loads = body.loads.map((name) => ({ name, ...placeOf(name) }))
  const arrays = [...new Set(loads.filter(({ at }) => at === undefined).map(({ array }) => array))]
  const gathered = new Map(
    loads.filter(({ at }) => at !== undefined).map(({ array, axis }) => [array, axis === undefined ? 1 : dimension]),
  )
  writer.phase('elements', (code, { block, first, last }) => {
    const slots = new Map(arrays.map((name) => [name, writer.slot(code, block, `target.${name}`)]))
    const others = new Map([...gathered.keys()].map((name) => [name, writer.slot(code, block, `source.${name}`)]))
    const to = new Map(results.map(({ name }) => [name, writer.slot(code, block, `result.${name}`)]))
    const count = writer.slot(code, block, 'targetCount')
    const numbers = writer.numbers(code, block, body.run)
    const register = (code: FunctionBuilder, start: Node) => {
      const values = new Map(numbers)
      for (const { name, array, axis = 0, axis: component, at } of loads) {
        const stride = component === undefined ? 1 : dimension
        const offset = axis * vector.bytes
        const index = at === undefined ? undefined : values.get(at)
        const from = index
          ? gatherElements(code, vector, { address: others.get(array) ?? i32(0), stride, offset }, index, sources)
          : loadElements(code, vector, {
              address: element(code, slots.get(array) ?? i32(0), start, stride * vector.bytes),
              ...{ stride, offset },
            })
        values.set(name, code.let('v128', name, from))
      }
      const found = writer.evaluate(code, values, body.loop)
      const written = stores(code, found, { start, result: (name) => to.get(name) ?? i32(0) })
      storeElements(code, vector, value(code)`${count} - ${start}`, written)
    }
    write(code)`
      for n in ${first}..${last} {
        let start = n * ${vector.lanes}
        ${register}(start)
      }`
  })
  return { writer, body, results, arrays, gathered, scratchBytes: 0 }
}
