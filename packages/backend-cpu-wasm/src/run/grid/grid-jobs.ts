/**
 * The jobs of a sum through a grid, in order.
 *
 * @module
 */
import { type GridPhase, unitPoints } from '../../design/grid-layout.ts'
import { type LoadedGrid, phaseIndex } from '../placement/loaded-program.ts'
import type { Job } from '../threads/job.ts'
import { type GridArrays, type GridSide, usedOf } from './grid-arrays.ts'

/** The most milliseconds of one call, which cannot be aborted. */
const longestCall = 25

/** Nanoseconds for each point of a number that its window has, and for each number of a grid and pass: guesses that only divide work. */
const [forPoint, forNumber, forGrid] = [15, 0.5, 2]

export function gridJobs(program: LoadedGrid, arrays: GridArrays): readonly Job[] {
  const { sum, units, scratch, scratchBytes } = arrays
  const [nx, ny, nz] = sum.sizes
  const window = sum.window.width ** sum.dimension
  const jobOf = (phase: GridPhase, side: GridSide, units: number, nanoseconds: number): Job => {
    const index = phaseIndex(program, phase)
    const cost = nanoseconds * 1e-6
    const callUnits = Math.max(1, Math.floor((units * longestCall) / Math.max(cost, longestCall)))
    const block = arrays.block(side)
    return {
      program,
      phase: index,
      block,
      scratch,
      scratchBytes,
      units,
      callUnits,
      cost,
      chooser: program.choosers[index],
    }
  }
  const placing = (side: GridSide) => {
    const count = arrays.count(side)
    const [units, cost] = [Math.ceil(count / unitPoints), count * forPoint]
    return [jobOf('locate', side, units, cost), jobOf('sort', side, 1, cost), jobOf('window', side, units, 3 * cost)]
  }
  const [planes, rows] = usedOf(sum)
  const lines = (phase: GridPhase, grids: number, units: number, numbers: number) =>
    jobOf(phase, 'sources', units, grids * numbers * forGrid)
  const [alongZ, alongY, alongX] = [planes * rows * nz, planes * ny * nz, nx * ny * nz]
  const { weights } = sum
  const fields = sum.fields.length
  const side = arrays.sides.at(-1) as GridSide
  const targets = arrays.count(side)
  const isPlane = sum.dimension === 2
  return [
    ...arrays.sides.flatMap(placing),
    jobOf('spread', 'sources', units.weightPlanes, weights * arrays.count('sources') * window * forNumber),
    lines('forwardZ', weights, units.weightRows, alongZ),
    ...(isPlane ? [] : [lines('forwardY', weights, units.weightPlanes, alongY)]),
    lines('forwardX', weights, units.weightBatches, alongX),
    lines('backX', fields, units.fieldBatches, alongX),
    ...(isPlane ? [] : [lines('backY', fields, units.fieldPlanes, alongY)]),
    lines('backZ', fields, units.fieldRows, alongZ),
    jobOf('gather', side, Math.ceil(targets / unitPoints), targets * fields * window * forNumber),
  ]
}
