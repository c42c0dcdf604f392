/**
 * The specification of grid workloads: each cell with its neighbours, x fastest.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { record } from '../../ground/names.ts'
import { evaluator } from '../../language/evaluate.ts'
import { gridParameters } from '../../problem/workloads/bodies/element-body.ts'
import { parseOutputs, stencilNames } from '../../problem/workloads/outputs.ts'
import type { ArrayResults, Grid, StencilWorkload } from '../../problem/workloads/workload.ts'
import { inside } from './particle-loop.ts'

/** Evaluates each output of a stencil for each cell of `field`. */
export function stencilLoop(
  workload: StencilWorkload,
  field: FloatArray,
  parameters: Readonly<Record<string, number>>,
): ArrayResults {
  const { cells } = workload.grid
  const slots = [...stencilNames(cells.length), ...Object.keys(parameters)]
  const bound: Record<string, number> = { ...gridParameters(workload.grid), ...parameters }
  const values = Float64Array.from(slots, (slot) => bound[slot] ?? 0)
  const neighbours = fieldLoads(workload.grid, field)
  const loads = slots.flatMap((name, slot) => (neighbours[name] ? [[slot, neighbours[name]] as const] : []))
  const count = cells.reduce((product, n) => product * n, 1)
  const outputs = [...parseOutputs(workload)].map(([name, components]) => ({
    name,
    components: components.map((e) => evaluator(e, slots)),
    result: new Float64Array(count * components.length),
  }))
  for (let cell = 0; cell < count; cell++) {
    for (const [slot, load] of loads) values[slot] = load(cell)
    for (const { components, result } of outputs)
      for (const [c, component] of components.entries()) result[cell * components.length + c] = component(values)
  }
  return Object.fromEntries(outputs.map(({ name, result }) => [name, result]))
}

/** The field at a cell, `c`, and at its neighbours. */
export function fieldLoads(
  { cells, edges }: Grid,
  field: FloatArray,
): Readonly<Record<string, (cell: number) => number>> {
  const [nx = 1, ny = 1, nz = 1] = cells
  const at = (ix: number, iy: number, iz: number) => (cell: number) => {
    const [x, y, z] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))]
    return field[
      inside(x + ix, nx, edges) + nx * (inside(y + iy, ny, edges) + ny * inside(z + iz, nz, edges))
    ] as number
  }
  return record([
    ['c', at(0, 0, 0)],
    ['xm', at(-1, 0, 0)],
    ['xp', at(1, 0, 0)],
    ['ym', at(0, -1, 0)],
    ['yp', at(0, 1, 0)],
    ['zm', at(0, 0, -1)],
    ['zp', at(0, 0, 1)],
  ])
}
