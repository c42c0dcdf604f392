/**
 * Loops over points: maps, and the grid cell of each point.
 *
 * @module
 */
import type { CellIndexWorkload, MapWorkload, Shape } from '@manybody/core'
import { cellBody, gridParameters } from '@manybody/core/expression'
import { number } from '../../design/reads.ts'
import { type ElementPass, elementPass, loaded, outputsOf, writerOf } from '../parts/element-pass.ts'
import { loadsOfMap } from '../parts/map-loads.ts'

export function mapLoop(workload: MapWorkload, shape: Shape): ElementPass {
  const { body, loads, arrays, gathered } = loadsOfMap(workload, shape)
  const code = loads.map(({ array, axis, at }, n) => {
    const texture = at === undefined ? arrays.indexOf(array) : arrays.length + gathered.indexOf(array)
    const point = at === undefined ? 'element' : `int(${loaded(body.loads.indexOf(at))} + 0.5)`
    const place = axis === undefined ? point : `${shape.dimension} * ${point} + ${axis}`
    return `float ${loaded(n)} = ${number(`array${texture}`, place)};`
  })
  return { ...elementPass(body, shape, [...arrays, ...gathered], code, outputsOf(body), {}), gathered: gathered.length }
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
  const [x, y = '0', z = '0'] = cell
  const [nx, ny = 1] = grid.cells
  const outputs = { index: [`float(${x} + ${nx} * (${y} + ${ny} * ${z}))`] }
  return elementPass(body, shape, ['position'], code, outputs, gridParameters(grid), after)
}
