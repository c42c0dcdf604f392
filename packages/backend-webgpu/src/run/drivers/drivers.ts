/**
 * Runs designs: the work of a run, its results and its steps.
 *
 * @module
 */
import type { Bindings, PointSet, RunOptions } from '@manybody/core'
import type { AnyVersion, ProgramDesign } from '../../design/design.ts'
import { versionFor } from '../../design/versions.ts'
import { blocksDriver } from './blocks.ts'
import { cellsDriver } from './cells.ts'
import type { DesignedResult, DesignRun, LoopDriver, Work } from './driver.ts'
import { elementDriver } from './element.ts'
import { listResults, withSorting } from './lists.ts'
import { matrixDriver, matrixResults } from './matrix.ts'
import { onceDriver } from './once.ts'
import { pairDriver } from './pair.ts'
import { treeDriver } from './tree.ts'

const drivers: { readonly [D in ProgramDesign as D['driver']]: LoopDriver<D> } = {
  element: elementDriver,
  matrix: matrixDriver,
  pair: pairDriver,
  once: onceDriver,
  blocks: blocksDriver,
  cells: cellsDriver,
  tree: treeDriver,
}

/** The work of a run. @param version the version for the parameters of the run */
export function workOf(
  design: ProgramDesign,
  run: DesignRun,
  results: readonly DesignedResult[],
  version: AnyVersion = versionFor(design, run.bindings.parameters),
): Work {
  const work = (drivers[design.driver] as LoopDriver<ProgramDesign>)(design, version, run, results)
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
