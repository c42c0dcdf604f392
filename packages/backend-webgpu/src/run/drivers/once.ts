/**
 * A loop that meets each pair once. It visits offsets between blocks in rounds: each round fills as many slots as fit, and the
 * second reduction adds them to the results.
 *
 * @module
 */
import type { OnceDesign, OnceVersion } from '../../design/design.ts'
import type { Dispatch } from '../../design/shader.ts'
import { alongY } from '../../design/spread.ts'
import { type DesignedResult, type DesignRun, type LoopDriver, type Step, valuesOf } from './driver.ts'

/** Number of offsets at the end of a round with a workgroup each, so that all workgroups finish at about the same time. */
const shortOffsets = 16

export const onceDriver: LoopDriver<OnceDesign> = (design, version, run, results) => {
  const { subgroup, targets, offsets: perPart, slotBytes, width } = design
  const { count } = run.bindings.targets
  const blocks = Math.ceil(count / (subgroup * targets))
  const offsets = Math.floor(blocks / 2) + 1
  const slots = slotBytes / (4 * width * count)
  // One slot per offset, and one per workgroup.
  const room = Math.floor((slots * perPart) / (perPart + 1)) - 1 - shortOffsets
  const perRound = Math.max(1, Math.min(offsets, room))
  const partial = 4 * width * count * (perRound + partsOf(perRound, perPart).parts)
  return { scratch: { partial }, steps: rounds(design, version, run, results, { blocks, offsets, perRound }) }
}

/** The workgroups of a block in a round: first the long ones, then one for each of the last offsets. */
function partsOf(offsets: number, perPart: number): { readonly longParts: number; readonly parts: number } {
  const longParts = perPart > 1 ? Math.max(0, Math.floor((offsets - shortOffsets) / perPart)) : offsets
  return { longParts, parts: longParts + offsets - longParts * perPart }
}

interface Rounds {
  /** Blocks of points, in a ring. */
  readonly blocks: number
  /** Number of offsets between blocks that meet: in total, and in one round. */
  readonly offsets: number
  readonly perRound: number
}

function* rounds(
  { subgroup, targets, offsets: perPart, targetsPerCombine }: OnceDesign,
  { shaders: { loop, combine }, run }: OnceVersion,
  { bindings, budget }: DesignRun,
  results: readonly DesignedResult[],
  { blocks, offsets, perRound }: Rounds,
): Generator<Step> {
  const { count } = bindings.targets
  const parameters = valuesOf(run, bindings.parameters)
  const block = subgroup * targets
  const round = (first: number, last: number): readonly Dispatch[] => {
    const { longParts, parts: groups } = partsOf(last - first, perPart)
    const values = {
      ...parameters,
      targetFirst: 0,
      targetCount: count,
      parts: last - first + groups,
      carry: first > 0 ? 1 : 0,
      blocks,
      offsetFirst: first,
      offsetLast: last,
      perPart,
      longParts,
      rows: targets,
      turns: subgroup,
    }
    return [
      { shader: loop, values, size: [blocks, groups, 1] },
      { shader: combine, values, size: alongY(Math.ceil(count / targetsPerCombine)) },
    ]
  }
  for (let first = 0; first < offsets; ) {
    // Per block, each offset takes two blocks of ordered pairs.
    const fits = Math.max(1, Math.floor(budget() / (2 * block * block * blocks)))
    // Whole rounds, if one fits, so that the order of additions does not depend on the budget.
    const last = Math.min(offsets, first + (fits > perRound ? fits - (fits % perRound) : fits))
    const dispatches: Dispatch[] = []
    for (let from = first; from < last; from += perRound)
      dispatches.push(...round(from, Math.min(last, from + perRound)))
    const done = last === offsets
    yield {
      dispatches,
      interactions: Math.round((count * count * (last - first)) / offsets),
      done: done ? 1 : last / offsets,
      reads: done ? results.map(({ name, length }) => ({ name, at: 0, length })) : [],
    }
    first = last
  }
}
