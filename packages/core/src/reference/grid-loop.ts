/**
 * The specification of grid workloads: each cell with its neighbours, x fastest.
 *
 * @module
 */
import type { FloatArray } from '../checks.ts'
import { evaluator } from '../expression/evaluate.ts'
import { gridParameters } from '../workloads/element-body.ts'
import { parseOutputs, stencilNames } from '../workloads/outputs.ts'
import type { ArrayResults, StencilWorkload } from '../workloads/workload.ts'
import { inside } from './particle-loop.ts'

/** Evaluates each output of a stencil for each cell of `field`. */
export function stencilLoop(
  workload: StencilWorkload,
  field: FloatArray,
  parameters: Readonly<Record<string, number>>,
): ArrayResults {
  const { cells, edges } = workload.grid
  const [nx = 1, ny = 1, nz = 1] = cells
  const names = stencilNames(cells.length)
  const slots = [...names, ...Object.keys(parameters)]
  const bound: Record<string, number> = { ...gridParameters(workload.grid), ...parameters }
  const values = Float64Array.from(slots, (slot) => bound[slot] ?? 0)
  const at = (ix: number, iy: number, iz: number) =>
    field[inside(ix, nx, edges) + nx * (inside(iy, ny, edges) + ny * inside(iz, nz, edges))] as number
  const neighbours: Readonly<Record<string, readonly [number, number, number]>> = {
    c: [0, 0, 0],
    xm: [-1, 0, 0],
    xp: [1, 0, 0],
    ym: [0, -1, 0],
    yp: [0, 1, 0],
    zm: [0, 0, -1],
    zp: [0, 0, 1],
  }
  const outputs = [...parseOutputs(workload)].map(([name, components]) => ({
    name,
    components: components.map((e) => evaluator(e, slots)),
    result: new Float64Array(nx * ny * nz * components.length),
  }))
  for (let cell = 0; cell < nx * ny * nz; cell++) {
    const [ix, iy, iz] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))]
    for (const [slot, name] of slots.entries()) {
      const offset = neighbours[name]
      if (offset) values[slot] = at(ix + offset[0], iy + offset[1], iz + offset[2])
    }
    for (const { components, result } of outputs)
      for (const [c, component] of components.entries()) result[cell * components.length + c] = component(values)
  }
  return Object.fromEntries(outputs.map(({ name, result }) => [name, result]))
}
