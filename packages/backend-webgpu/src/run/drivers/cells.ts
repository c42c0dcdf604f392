/**
 * A loop over pairs within a cutoff by a grid of cells over the periodic box. Each run puts the points in the order of their
 * cells and visits the cells within reach, all on the device. Nothing is kept between runs.
 *
 * @module
 */
import { boxLengths, cellGrid, cellReach, fitsCells, gridValues } from '../../design/cell-layout.ts'
import type { CellsDesign, FieldValues } from '../../design/design.ts'
import { lengthValues } from '../../design/space.ts'
import { cellsVariant } from '../../designs/loaded-at-once.ts'
import { type LoopDriver, valuesOf } from './driver.ts'
import { groupSteps } from './groups.ts'

export const cellsDriver: LoopDriver<CellsDesign> = ({ targetsPerGroup, reach, mostCells }, version, run, results) => {
  const { parameters } = run.bindings
  const { rule } = reach
  const { cutoff = 0 } = parameters
  const lengths = boxLengths(parameters)
  if (!fitsCells(parameters))
    throw new RangeError(
      `"variant" ${cellsVariant} expected a cutoff below half the shortest box length, got ${cutoff} in a box of ${lengths.join(' x ')}; name another variant`,
    )
  const farthest = cellReach(rule, parameters)
  const values = {
    ...valuesOf(version.run, parameters),
    ...cellValues(rule, parameters, farthest, mostCells),
    reach: farthest,
  }
  const pairs = version.values.sourceCount
  const share = lengths.reduce((part, length) => (part * 3 * farthest) / length, 1)
  const loop = {
    ...{ values, targetsPerGroup, pairs },
    expectedPairs: Math.max(1, pairs * Math.min(1, share)),
    counts: 'pairs' as const,
  }
  return { scratch: version.scratch, steps: groupSteps(version, run, results, loop) }
}

/** The values of the box and of its cells. @param edge the least edge of a cell across a row */
export const cellValues = (
  rule: CellsDesign['reach']['rule'],
  parameters: FieldValues,
  edge: number,
  mostCells: number,
): FieldValues => {
  const lengths = boxLengths(parameters)
  return {
    ...lengthValues(rule, parameters),
    ...gridValues(rule.dimension, cellGrid(lengths, edge, mostCells), lengths),
  }
}
