/**
 * The workloads over single points: maps and cell indices.
 *
 * @module
 */

import { type GridOptions, gridOf } from './grid.ts'
import { made } from './made.ts'
import { checkNames, frozenOutputs, parseOutputs } from './outputs.ts'
import type { CellIndexWorkload, Gathered, MapWorkload } from './workload.ts'

/**
 * New attributes from a point's own: `map({ velocity: 'velocity + dt*acceleration' }, { dt: 0.01 })`.
 *
 * A name is an attribute unless it is a parameter. Attributes with one number per component (`position`, `velocity`)
 * are mapped component by component, and mixing them with plain ones repeats the plain ones; `velocity_x` names one
 * component. An output given as a list has one expression per component.
 *
 * @throws {@link ExpressionError} if an expression does not parse; TypeError for names that mean something else
 */
export function map<Name extends string>(
  outputs: Readonly<Record<Name, string | readonly string[]>>,
  parameters: Readonly<Record<string, number>> = {},
): MapWorkload<Name> {
  checkNames(outputs, parameters)
  const workload: MapWorkload<Name> = Object.freeze({
    loop: 'particle',
    operation: 'map',
    results: Object.freeze(Object.keys({ ...outputs }) as Name[]),
    outputs: frozenOutputs(outputs),
    parameters: Object.freeze({ ...parameters }),
  })
  parseOutputs(workload)
  return made(workload)
}

/** A map that also reads values of other points, for stages of sequences. An index is a whole number from 0. */
export function gatherMap<Name extends string>(
  outputs: Readonly<Record<Name, string | readonly string[]>>,
  gather: Readonly<Record<string, Gathered>>,
  parameters: Readonly<Record<string, number>> = {},
): MapWorkload<Name> {
  return made(Object.freeze({ ...map(outputs, parameters), gather: Object.freeze({ ...gather }) }))
}

/** `index` of the grid cell of each point, `[count]`. Points outside wrap around or go to the nearest edge cell. */
export function cellIndex(grid: GridOptions): CellIndexWorkload<'index'> {
  const results = Object.freeze(['index'] as const)
  return made(Object.freeze({ loop: 'particle', operation: 'cellIndex', results, grid: gridOf(grid) }))
}
