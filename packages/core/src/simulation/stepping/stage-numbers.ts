/**
 * The numbers that the stages of a simulation read now: parameters, tables, and the points as bindings.
 *
 * @module
 */
import type { Bindings } from '../../contract/backend.ts'
import type { Tables } from '../../ground/table.ts'
import { copiedCell, inCells } from '../../problem/workloads/copied-cells.ts'
import { withCutoffBound } from '../../problem/workloads/cutoff-bound.ts'
import { exclusionsOf } from '../../problem/workloads/exclusions.ts'
import { tablesIn } from '../../problem/workloads/numbers/float32-numbers.ts'
import { parametersOf } from '../../problem/workloads/parameters.ts'
import { joinedTables } from '../../problem/workloads/tables/layout.ts'
import type { Workload } from '../../problem/workloads/workload.ts'
import { hasImages } from '../forces/cell-images.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import { boundaryNow, parametersInBox } from '../numbers/box.ts'
import { cutoffNow } from '../numbers/cutoffs.ts'
import { type NumbersByName, ofIntegrator, type SimulationNumbers } from '../numbers/numbers.ts'
import { numbersOfPair } from '../numbers/pair-numbers.ts'
import { parametersNow } from '../numbers/symbols.ts'
import type { StageArrays } from './stage-arrays.ts'
import type { StepArrays } from './step-arrays.ts'

/** A stage without places for its results. */
export type Unplaced = Omit<PlannedStage, 'outputs'>

/** The workload of a stage, in a box of several cells if the cell is small. */
export function runOf({ workload, pair, images }: Unplaced, { count, state }: StepArrays): Workload {
  if (images || workload.loop !== 'pair' || !hasImages(pair)) return workload
  const shape = { dimension: state.dimension, targets: count, sources: count, sameSet: true, vectors: [] }
  return copiedCell(workload, shape).workload
}

export function bindingsIn(
  stage: Unplaced,
  { shape, targets, sources, lengthUnit }: StageArrays,
  arrays: StepArrays,
): Bindings {
  const workload = runOf(stage, arrays)
  const exclusions = workload.loop === 'pair' ? exclusionsOf(workload, shape) : undefined
  const { parameters, tables } = numbersOfStage(stage, arrays, lengthUnit)
  return { targets, sources, parameters, ...(exclusions && { exclusions }), ...(tables && { tables }) }
}

/** The parameters and tables of a stage now. @param lengthUnit the unit of length, if it is not the caller's */
export function numbersOfStage(
  { workload, pair, fraction }: Unplaced,
  arrays: StepArrays,
  lengthUnit: number | undefined,
): Pick<Bindings, 'parameters' | 'tables'> {
  const { device, numbers: now } = arrays
  const inBox = (given: NumbersByName, tables?: Tables) =>
    reaching(workload, parametersInBox(workload, given, now), arrays, { tables })
  const known = pair ? {} : inBox(parametersNow(parametersOf(workload), now.parameters))
  if (fraction !== undefined)
    return { parameters: { ...known, ...now.parameters[ofIntegrator], h: fraction * now.clock.dt } }
  const unit = lengthUnit !== undefined && { lengthUnit }
  if (!pair) return { parameters: { ...known, ...unit } }
  const { parameters: given, tables } = numbersOfPair(pair, now)
  const reach = workload.loop === 'pair' && workload.domain.cutoff ? cutoffNow(pair, now) : {}
  const inOne = inBox({ ...parametersOf(workload, given, tables), ...reach }, tables)
  const own = workload.loop === 'pair' && hasImages(pair) ? inCells(workload, inOne) : inOne
  return {
    parameters: { ...own, ...unit },
    ...(tables && { tables: tablesIn(device.info.precision, joinedTables(tables)) }),
  }
}

interface Reached {
  readonly tables?: Tables | undefined
  /** Those of now, by default. */
  readonly numbers?: SimulationNumbers
}

/** The parameters with a cutoff that no pair exceeds, if each pair has its own. @throws RangeError if the box does not hold it */
export function reaching(
  workload: Workload,
  parameters: Bindings['parameters'],
  arrays: StepArrays,
  { tables, numbers = arrays.numbers }: Reached,
): Bindings['parameters'] {
  if (workload.loop !== 'pair' || typeof workload.domain.cutoff?.distance !== 'string') return parameters
  const { known, state, count } = arrays
  const shape = { dimension: state.dimension, vectors: [], targets: count, sources: count }
  const points = { targets: known, sources: known, parameters, tables }
  return withCutoffBound(workload, shape, points, boundaryNow(workload.domain.boundary, numbers))
}
