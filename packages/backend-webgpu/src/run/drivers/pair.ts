/**
 * A loop over all pairs. Each step visits as many sources as fit the time budget, and continues from the results of the step
 * before, which stay on the device.
 *
 * @module
 */
import type { PairDesign, PairVersion } from '../../design/design.ts'
import type { Dispatch } from '../../design/shader.ts'
import { alongY, alongZ, spread } from '../../design/spread.ts'
import {
  type DesignedResult,
  type DesignRun,
  type LoopDriver,
  type PointRange,
  type Step,
  spansOf,
  valuesOf,
} from './driver.ts'

export const pairDriver: LoopDriver<PairDesign> = (design, version, run, results) => {
  const [targets, sources] = spansOf(run.bindings, run.options)
  const { group, tile } = design
  // No part is shorter than a tile.
  const parts = Math.min(design.parts, Math.max(1, Math.ceil((sources[1] - sources[0]) / tile)))
  const words = group ? minimaWords(sources[1] - sources[0], group, design.parts) : version.words * parts
  const ranges = group ? targetRanges(targets, words, design) : [targets]
  const [[first, last] = targets] = ranges
  const { pack, combine } = version.shaders
  return {
    scratch: {
      ...(pack && { packed: version.sourceBytes * run.bindings.sources.count }),
      ...(combine && { partial: 4 * words * (last - first) }),
    },
    steps: pairSteps(design, version, run, results, ranges),
  }
}

/** Words per target for the least terms of all groups, and then of all parts. */
const minimaWords = (sources: number, group: number, parts: number) => Math.ceil(sources / group) + parts

/** Divides targets into ranges that fit one array, with `words` words per target: equal numbers of whole blocks. */
function targetRanges(
  [first, last]: PointRange,
  words: number,
  { minimaBytes, targetsPerGroup: block }: PairDesign,
): readonly PointRange[] {
  const blocks = Math.ceil((last - first) / block)
  const most = Math.max(1, Math.floor(minimaBytes / (4 * Math.max(1, words) * block)))
  const length = block * Math.ceil(blocks / Math.ceil(blocks / most))
  return Array.from({ length: Math.ceil((last - first) / length) }, (_, r): PointRange => {
    return [first + r * length, Math.min(last, first + (r + 1) * length)]
  })
}

function* pairSteps(
  design: PairDesign,
  version: PairVersion,
  run: DesignRun,
  results: readonly DesignedResult[],
  ranges: readonly PointRange[],
): Generator<Step> {
  const [targets, sources] = spansOf(run.bindings, run.options)
  for (const range of ranges) {
    const [before, all] = [range[0] - targets[0], targets[1] - targets[0]]
    for (const step of rangeSteps(design, version, run, range, sources, before)) {
      const done = (before + step.done * (range[1] - range[0])) / all
      const reads = done < 1 ? [] : results.map(({ name, length }) => ({ name, at: 0, length }))
      yield { ...step, done, reads }
    }
  }
}

/** The steps of a range of targets. Its results begin at `resultFirst`. Each step visits as many sources as fit the budget. */
function* rangeSteps(
  { tile, targetsPerGroup, parts: mostParts, gridStride, group, targetsPerCombine }: PairDesign,
  { shaders: { pack, loop, combine }, run }: PairVersion,
  { bindings, options, budget }: DesignRun,
  [targetFirst, targetLast]: PointRange,
  [sourceFirst, sourceLast]: PointRange,
  resultFirst: number,
): Generator<Omit<Step, 'reads'>> {
  const targetCount = targetLast - targetFirst
  const parameters = valuesOf(run, bindings.parameters)
  const [x, z] = spread(Math.ceil(targetCount / targetsPerGroup))
  const groupsX = gridStride ? Math.min(x, mostStriding) : x
  const groupsZ = gridStride ? 1 : z
  const enders = Math.ceil(targetCount / targetsPerCombine)
  let first = sourceFirst
  do {
    const fits = Math.ceil(budget() / targetCount / tile) * tile
    const left = sourceLast - first
    const count = fits * 1.5 >= left ? left : fits
    const chunk = Math.max(tile, Math.ceil(count / mostParts / tile) * tile)
    const parts = Math.max(1, Math.ceil(count / chunk))
    const values = {
      ...parameters,
      targetFirst,
      targetCount,
      resultFirst,
      sourceFirst: first,
      sourceLast: first + count,
      chunk,
      parts,
      carry: first > sourceFirst || options.initial ? 1 : 0,
    }
    const dispatches: Dispatch[] = []
    if (pack && count > 0) dispatches.push({ shader: pack, values, size: alongZ(Math.ceil(count / pack.workgroup)) })
    dispatches.push({ shader: loop, values, size: [groupsX, parts, groupsZ] })
    if (combine) dispatches.push({ shader: combine, values, size: group > 0 ? alongZ(enders) : alongY(enders) })
    first += count
    const done = first >= sourceLast ? 1 : (first - sourceFirst) / (sourceLast - sourceFirst)
    yield { dispatches, interactions: targetCount * count, done }
  } while (first < sourceLast)
}

/** The most workgroups that continue with further targets. */
const mostStriding = 256
