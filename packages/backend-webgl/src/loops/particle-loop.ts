/**
 * Loops over points: maps, and the grid cell of each point.
 *
 * @module
 */
import type { CellIndexWorkload, MapWorkload, Shape } from '@manybody/core'
import { cellBody, gridParameters, mapBody } from '@manybody/core/backend'
import { number } from '../glsl/reads.ts'
import { type ElementPass, elementPass, loaded, outputsOf, writerOf } from './element-pass.ts'

export function mapLoop(workload: MapWorkload, shape: Shape): ElementPass {
  const body = mapBody(workload, shape)
  const loads = body.loads.map((name) => {
    const vector = shape.vectors.find((v) => name.startsWith(`${v}_`) && /^[xyz]$/.test(name.slice(v.length + 1)))
    return { array: vector ?? name, axis: vector ? 'xyz'.indexOf(name.slice(-1)) : undefined }
  })
  const arrays = [...new Set(loads.map((load) => load.array))]
  const code = loads.map(({ array, axis }, n) => {
    const at = axis === undefined ? 'element' : `${shape.dimension} * element + ${axis}`
    return `float ${loaded(n)} = ${number(`array${arrays.indexOf(array)}`, at)};`
  })
  return elementPass(body, shape, arrays, code, outputsOf(body), {})
}

/** The cell number is computed in integers. Inexact division may give a cell just beyond an edge, so it wraps once more. */
export function cellLoop({ grid }: CellIndexWorkload, shape: Shape): ElementPass {
  const body = cellBody(grid)
  const write = writerOf(body)
  const along = (body.outputs.index ?? []).map(write)
  const code = body.loads.map(
    (name, n) =>
      `float ${loaded(n)} = ${number('array0', `${shape.dimension} * element + ${'xyz'.indexOf(name.slice(-1))}`)};`,
  )
  const cell = along.map((_, k) => `cell${k}`)
  const after = along.flatMap((e, k) => {
    const n = grid.cells[k] as number
    return [`int cell${k} = int(${e});`, `cell${k} += cell${k} < 0 ? ${n} : cell${k} >= ${n} ? -${n} : 0;`]
  })
  const [x, y, z = '0'] = cell
  const [nx, ny] = grid.cells
  const outputs = { index: [`float(${x} + ${nx} * (${y} + ${ny} * ${z}))`] }
  return elementPass(body, shape, ['position'], code, outputs, gridParameters(grid), after)
}
