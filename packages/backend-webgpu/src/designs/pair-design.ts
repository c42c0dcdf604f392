/**
 * The design of a pair workload that folds its terms: its shaders for a plan, and steps that each visit as many sources as
 * fit a time budget. Each step continues from the results of the step before, which stay on the device.
 *
 * @module
 */

import type { Bindings, RunOptions } from '@manybody/core'
import { accumulationIn } from '@manybody/core/backend'
import { evaluate } from '@manybody/core/expression'
import type { DesignedResult, DesignRun, Step, Work } from '../drivers/driver.ts'
import { minimumFold } from '../folds/folds.ts'
import { minimaWords } from '../folds/group-minima.ts'
import type { LoopLimits } from '../host/host.ts'
import { combine, combineGroups } from '../loops/combine.ts'
import { markFold, selection, selectionGroups } from '../loops/neighbour-selection.ts'
import { pack, packedBytes, packGroups } from '../loops/pack.ts'
import { pairFields, pairLoop } from '../loops/pair-loop.ts'
import { blockLength } from '../loops/storage-loop.ts'
import { resume } from '../parts/finish.ts'
import { settle, settles } from '../parts/looks.ts'
import { targetsPerGroup } from '../parts/loop-shape.ts'
import { describePlan, type PairPlan } from '../plans/plan.ts'
import type { Dispatch, Shader } from '../wgsl/shader.ts'
import { spread } from '../wgsl/spread.ts'
import { accumulationOf } from './accumulation.ts'
import type { ProgramDesign } from './design.ts'
import type { PairProblem, WrittenPair } from './pair-problem.ts'

/** The shaders of a pair workload for a plan, with the texts from which they were built. */
interface PairShaders extends WrittenPair {
  /** Runs before the loop, if the loop reads packed sources. */
  readonly pack: Shader | undefined
  readonly loop: Shader
  /** Runs after the loop, if the loop writes partial folds or the minima of groups. */
  readonly combine: Shader | undefined
}

export function pairDesign(problem: PairProblem, plan: PairPlan, limits: LoopLimits): ProgramDesign {
  const { shape, written } = problem
  const { fold, texts } = written.of()
  const shaders = written.map((texts) => shadersOf(problem, texts, plan))
  return {
    variant: describePlan(plan),
    accumulation: accumulationIn(problem.workload, accumulationOf(chainOf(plan, shape.sources), shape.sources)),
    inputs: texts.resources.map((r) => r.key),
    shaders: (parameters) => {
      const { pack, loop, combine } = shaders.of(parameters)
      return [pack, loop, combine].filter((shader) => shader !== undefined)
    },
    results(bindings, options) {
      const [first, last] = options.targets ?? [0, bindings.targets.count]
      return fold.results.map(({ name, hostType, width }): DesignedResult => {
        const length = (last - first) * width
        return { name, type: hostType, length, held: length, most: bindings.sources.count }
      })
    },
    interactions: (bindings, options) => {
      const [targets, sources] = rangesOf(bindings, options)
      return (targets[1] - targets[0]) * (sources[1] - sources[0])
    },
    work: (run, results) => pairWork(run, results, shaders.of(run.bindings.parameters), plan, limits),
  }
}

function shadersOf({ workload, shape, exclusions }: PairProblem, written: WrittenPair, plan: PairPlan): PairShaders {
  const { body, fold, texts, look, run, unskipped } = written
  const fields = [...pairFields, ...run]
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describePlan(plan)}`
  if (plan.shape.group > 0) {
    const { k = 1 } = workload
    // The loop includes the pair of a target with itself, which saves a test per pair. The selection skips it.
    const minima = minimumFold()
    const mark = unskipped(markFold(k), false)
    const { skipSelf } = body
    const of = {
      k,
      targets: shape.targets,
      group: plan.shape.group,
      skipSelf,
      exclusions,
      resume: resume(texts, fold, [0], exclusions, 'run.carry == 1u && group.y == 0u', () => 'at_0'),
    }
    return {
      ...written,
      pack: pack(`${label}: sources packed`, texts, fields),
      loop: pairLoop(label, unskipped(minima, exclusions), minima, plan.shape, run, exclusions),
      combine: selection(`${label}: selection`, { pair: texts, mark }, fold, of, fields),
    }
  }
  const left =
    look && settles(plan.shape, look) === 'combine' ? settle(texts, look, 0, plan.shape, 'run.sourceLast') : undefined
  return {
    ...written,
    pack: plan.shape.packed ? pack(`${label}: sources packed`, texts, fields) : undefined,
    loop: pairLoop(label, texts, fold, plan.shape, run, exclusions, look),
    combine:
      plan.shape.split && !fold.appends ? combine(`${label}: second reduction`, texts, fold, fields, left) : undefined,
  }
}

/** How many terms are added one after the other: those of a tile, of a part, or of a slice of either. */
function chainOf({ shape: { blocks, slices, staging, workgroup }, parts }: PairPlan, sources: number): number {
  const block = staging === 'storage' ? blockLength : workgroup
  return Math.max(1, Math.ceil((blocks ? block : sources / parts) / slices))
}

type Span = readonly [first: number, last: number]
const rangesOf = (bindings: Bindings, options: RunOptions): readonly [targets: Span, sources: Span] => [
  options.targets ?? [0, bindings.targets.count],
  options.sources ?? [0, bindings.sources.count],
]

/** The most bytes that the minima of groups may take. */
const minimaBytes = 2 ** 29

/** Divides targets into ranges that fit one array, with `words` words per target: equal numbers of whole blocks. */
function targetRanges([first, last]: Span, words: number, block: number, limits: LoopLimits): readonly Span[] {
  const bytes = Math.min(minimaBytes, limits.maxStorageBufferBindingSize)
  const blocks = Math.ceil((last - first) / block)
  const most = Math.max(1, Math.floor(bytes / (4 * Math.max(1, words) * block)))
  const length = block * Math.ceil(blocks / Math.ceil(blocks / most))
  return Array.from({ length: Math.ceil((last - first) / length) }, (_, r): Span => {
    return [first + r * length, Math.min(last, first + (r + 1) * length)]
  })
}

function pairWork(
  run: DesignRun,
  results: readonly DesignedResult[],
  shaders: PairShaders,
  plan: PairPlan,
  limits: LoopLimits,
): Work {
  const [targets, sources] = rangesOf(run.bindings, run.options)
  const { group } = plan.shape
  const block = targetsPerGroup(plan.shape)
  const words = group ? minimaWords(sources[1] - sources[0], group, plan.parts) : shaders.fold.words * plan.parts
  const ranges = group ? targetRanges(targets, words, block, limits) : [targets]
  const [[first, last] = targets] = ranges
  return {
    scratch: {
      ...(shaders.pack && { packed: packedBytes(shaders.texts) * run.bindings.sources.count }),
      ...(shaders.combine && { partial: 4 * words * (last - first) }),
    },
    steps: pairSteps(run, results, shaders, plan, ranges),
  }
}

function* pairSteps(
  run: DesignRun,
  results: readonly DesignedResult[],
  shaders: PairShaders,
  plan: PairPlan,
  ranges: readonly Span[],
): Generator<Step> {
  const [targets, sources] = rangesOf(run.bindings, run.options)
  for (const range of ranges) {
    const [before, all] = [range[0] - targets[0], targets[1] - targets[0]]
    for (const step of rangeSteps(run, shaders, plan, range, sources, before)) {
      const done = (before + step.done * (range[1] - range[0])) / all
      const reads = done < 1 ? [] : results.map(({ name, length }) => ({ name, at: 0, length }))
      yield { ...step, done, reads }
    }
  }
}

/** The steps of a range of targets, whose results begin at `resultFirst`. Each visits as many sources as fit the budget. */
function* rangeSteps(
  { bindings, options, budget }: DesignRun,
  { body, pack, loop, combine }: PairShaders,
  { shape, parts: mostParts }: PairPlan,
  [targetFirst, targetLast]: Span,
  [sourceFirst, sourceLast]: Span,
  resultFirst: number,
): Generator<Omit<Step, 'reads'>> {
  const targetCount = targetLast - targetFirst
  const tile = shape.workgroup
  const parameters = Object.fromEntries(body.run.map((b) => [b.name, evaluate(b.expr, bindings.parameters)]))
  const [x, z] = spread(Math.ceil(targetCount / targetsPerGroup(shape)))
  const groupsX = shape.gridStride ? Math.min(x, 256) : x
  const groupsZ = shape.gridStride ? 1 : z
  const enders = shape.group > 0 ? selectionGroups(targetCount) : combineGroups(targetCount)
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
    if (pack && count > 0) dispatches.push({ shader: pack, values, size: packGroups(count) })
    dispatches.push({ shader: loop, values, size: [groupsX, parts, groupsZ] })
    if (combine) dispatches.push({ shader: combine, values, size: enders })
    first += count
    const done = first >= sourceLast ? 1 : (first - sourceFirst) / (sourceLast - sourceFirst)
    yield { dispatches, interactions: targetCount * count, done }
  } while (first < sourceLast)
}
