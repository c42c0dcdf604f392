/**
 * Runs designs: what a run of one computes, and its results and steps.
 *
 * @module
 */
import type { Bindings, RunOptions } from '@manybody/core'
import type { DesignData } from '../design/design.ts'
import type { DesignedResult, DesignRun, Driver, VersionOf, Work } from './driver.ts'
import { elementDriver } from './element.ts'

const drivers: { readonly [D in DesignData as D['driver']]: Driver<D> } = {
  element: elementDriver,
}

/** The work of a run. @param version that for the parameters of the run */
export function workOf(
  design: DesignData,
  version: VersionOf<DesignData>,
  run: DesignRun,
  results: readonly DesignedResult[],
): Work {
  return (drivers[design.driver] as Driver<DesignData>)(design, version, run, results)
}

/** The results of a run. @param whole whether they stay in their buffers */
export function resultsOf(
  design: DesignData,
  bindings: Bindings,
  { targets = [0, bindings.targets.count] }: RunOptions,
  whole: boolean,
): readonly DesignedResult[] {
  return design.results.map(({ name, type, width, most = bindings.sources.count }) => {
    const length = (targets[1] - targets[0]) * width
    return { name, type, length, held: length, most }
  })
}

/** How many interactions a run computes. */
export function interactionsOf(design: DesignData, bindings: Bindings, { targets, sources }: RunOptions): number {
  const span = (range: RunOptions['targets'], count: number) => (range ? range[1] - range[0] : count)
  const elements = span(targets, bindings.targets.count)
  return design.driver === 'element' ? elements : elements * span(sources, bindings.sources.count)
}
