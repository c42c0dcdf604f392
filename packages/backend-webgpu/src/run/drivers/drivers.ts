/**
 * Runs designs: the work of a run, its results and its steps.
 *
 * @module
 */
import type { Bindings, PointSet, RunOptions } from '@manybody/core'
import type { AnyVersion, ProgramDesign } from '../../design/design.ts'
import { versionFor } from '../../design/versions.ts'
import type { DesignedResult, DesignRun, LoopDriver, Work } from './driver.ts'
import { listResults, withSorting } from './lists.ts'
import { matrixResults } from './matrix-results.ts'
import { pairDriver } from './pair.ts'

/** The driver of a design. All but that of loops over all pairs load with the first design that needs one. */
export async function driverOf({ driver }: ProgramDesign): Promise<LoopDriver<ProgramDesign>> {
  const found = driver === 'pair' ? pairDriver : (await import('./all-drivers.ts')).allDrivers[driver]
  return found as LoopDriver<ProgramDesign>
}

/** The work of a run. @param driver that of the design. @param version the version for the parameters of the run */
export function workOf(
  driver: LoopDriver<ProgramDesign>,
  design: ProgramDesign,
  run: DesignRun,
  results: readonly DesignedResult[],
  version: AnyVersion = versionFor(design, run.bindings.parameters),
): Work {
  const work = driver(design, version, run, results)
  const { lists } = design
  return lists ? { ...work, steps: withSorting(lists, work.steps, run.bindings) } : work
}

/** The results of a run. @param whole whether they stay in their buffers */
export function resultsOf(
  design: ProgramDesign,
  bindings: Bindings,
  options: RunOptions,
  whole: boolean,
): readonly DesignedResult[] {
  if (design.lists) return listResults(design, design.lists, bindings)
  const targets = lengthIn(options.targets, bindings.targets)
  if (design.driver === 'matrix') return matrixResults(design, bindings, targets, whole)
  return design.results.map(({ name, type, width, most = bindings.sources.count }) => {
    const length = targets * width
    return { name, type, length, held: length, most }
  })
}

/** How many interactions a run computes. */
export function interactionsOf(design: ProgramDesign, bindings: Bindings, options: RunOptions): number {
  const elements = lengthIn(options.targets, bindings.targets)
  return design.driver === 'element' ? elements : elements * lengthIn(options.sources, bindings.sources)
}

/** Number of points in a range, by default of the whole set. */
const lengthIn = (range: RunOptions['targets'], { count }: PointSet) => (range ? range[1] - range[0] : count)
