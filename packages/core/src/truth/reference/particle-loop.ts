/**
 * The specification of particle workloads: maps, and the grid cell of each point.
 *
 * @module
 */

import type { FloatArray } from '../../ground/checks.ts'
import { evaluator } from '../../language/evaluate.ts'
import { symbolsOf } from '../../language/nodes.ts'
import { mapComponents } from '../../problem/typed-at-once.ts'
import { loadPlace } from '../../problem/workloads/bodies/load-place.ts'
import type { ArrayResults, Grid, MapWorkload, Shape } from '../../problem/workloads/workload.ts'

type Arrays = Readonly<Record<string, FloatArray>>

/** Evaluates each output of a map for each point. */
export function mapLoop(
  workload: MapWorkload,
  shape: Shape,
  arrays: Arrays,
  parameters: Readonly<Record<string, number>>,
  sources: Arrays = arrays,
): ArrayResults {
  const results: Record<string, Float64Array> = {}
  for (const [name, components] of mapComponents(workload, shape)) {
    const result = new Float64Array(shape.targets * components.length)
    for (const [c, component] of components.entries()) {
      const attributes = [...symbolsOf(component)].filter((symbol) => !Object.hasOwn(parameters, symbol))
      const slots = [...attributes, ...Object.keys(parameters)]
      const loads = attributes.map((symbol) => loadOf(symbol, workload, shape, arrays, sources))
      const values = Float64Array.from([...attributes.map(() => 0), ...Object.values(parameters)])
      const value = evaluator(component, slots)
      for (let p = 0; p < shape.targets; p++) {
        for (const [slot, load] of loads.entries()) values[slot] = load(p)
        result[p * components.length + c] = value(values)
      }
    }
    results[name] = result
  }
  return results
}

/** An attribute, a component of a vector, or either of another point. */
export function loadOf(
  symbol: string,
  workload: Pick<MapWorkload, 'gather'>,
  shape: Pick<Shape, 'dimension' | 'vectors'>,
  arrays: Arrays,
  sources: Arrays = arrays,
): (p: number) => number {
  const { array: name, axis, at } = loadPlace(symbol, workload, shape)
  const array = (at === undefined ? arrays : sources)[name] as FloatArray
  const [stride, offset] = axis === undefined ? [1, 0] : [shape.dimension, axis]
  if (at === undefined) return (p) => array[p * stride + offset] as number
  const index = arrays[at] as FloatArray
  return (p) => array[(index[p] as number) * stride + offset] as number
}

/** The cell of each point: `floor((x - origin)/spacing)` along each axis, wrapped or clamped to the grid. */
export function cellIndexLoop(grid: Grid, shape: Shape, position: FloatArray): ArrayResults {
  const axes = grid.cells.length
  const index = new Int32Array(shape.targets)
  for (let p = 0; p < shape.targets; p++) {
    let cell = 0
    for (let axis = axes - 1; axis >= 0; axis--) {
      const n = grid.cells[axis] as number
      const x = position[p * axes + axis] as number
      const k = Math.floor((x - (grid.origin[axis] as number)) / (grid.spacing[axis] as number))
      cell = cell * n + inside(k, n, grid.edges)
    }
    index[p] = cell
  }
  return { index }
}

/** A cell number along one axis, wrapped or clamped into the grid. */
export function inside(k: number, cells: number, edges: Grid['edges']): number {
  return edges === 'clamp' ? Math.min(Math.max(k, 0), cells - 1) : k - cells * Math.floor(k / cells)
}
