/**
 * The recipe of a pair workload that folds its terms: which shaders, which arrays, and the sources cut into steps that
 * fit a time budget. Each step goes on from the results of the one before, which never leave the device.
 *
 * @module
 */
import type { Bindings, Dimension, PairWorkload, RunOptions, Shape } from '@manybody/core'
import { isSingular, type PairBody, pairBody, termOf } from '@manybody/core/backend'
import { evaluate } from '@manybody/core/expression'
import { accumulationOf } from './accumulation.ts'
import { combine, combineGroups } from './combine.ts'
import { compile, type Pipeline } from './compile.ts'
import type { Fold } from './fold.ts'
import { foldOf, minimumFold } from './folds.ts'
import type { GpuHost, LoopHost } from './gpu-host.ts'
import { minimaWords } from './group-minima.ts'
import { targetsPerGroup } from './loop-shape.ts'
import { hostText } from './operators.ts'
import { pack, packedBytes, packGroups } from './pack.ts'
import { pairFields, pairLoop, resume, settle, settles } from './pair-loop.ts'
import { type PairTexts, pairTexts } from './pair-texts.ts'
import { describePlan, type PairCase, type PairPlan } from './plan.ts'
import {
  type Dispatch,
  dispatchOf,
  type Recipe,
  type ResultArray,
  type Step,
  type StepContext,
  spread,
} from './recipe.ts'
import { markFold, selection, selectionGroups } from './selection.ts'
import type { Field, Shader } from './shader.ts'
import { blockLength, type LookTexts } from './source-loops.ts'

/** The generated shaders of a pair workload under a plan. */
export interface PairShaders {
  readonly body: PairBody
  /** Runs before the loop, where that reads packed sources. */
  readonly pack: Shader | undefined
  readonly loop: Shader
  readonly combine: Shader | undefined
}

interface Parts {
  readonly body: PairBody
  readonly fold: Fold
  readonly texts: PairTexts
  readonly look: LookTexts | undefined
  readonly exclusions: boolean
}

function partsOf(workload: PairWorkload, shape: Shape, guard: boolean): Parts {
  const body = pairBody(workload, shape, { guard })
  const components = body.form === 'radial' ? shape.dimension : body.terms.length
  const fold = foldOf(workload, components)
  const exclusions = workload.domain.exclusions.length > 0
  const options = { body, dimension: shape.dimension, sameSet: shape.sameSet, exclusions }
  const { look } = fold
  // A list of exclusions is read in the order of the sources, once.
  const looks = look && !(look.settle && exclusions)
  const unskipped = { ...body, skipSelf: false }
  return {
    body,
    fold,
    texts: pairTexts({ ...options, fold }),
    look: looks
      ? {
          ...look,
          texts: pairTexts({ ...options, body: unskipped, fold: { indexed: false, pair: look.pair } }),
          skipSelf: body.skipSelf,
        }
      : undefined,
    exclusions,
  }
}

/** What the choice of a plan needs to know about a workload. */
export function pairCase(workload: PairWorkload, shape: Shape, { info, limits, subgroups }: LoopHost): PairCase {
  const { body, fold, texts } = partsOf(workload, shape, true)
  return {
    targets: shape.targets,
    sources: shape.sources,
    kind: info.kind,
    invocations: Math.min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX),
    memory: limits.maxComputeWorkgroupStorageSize,
    sourceBytes: texts.record.reduce((sum, type) => sum + (type === 'vec2f' ? 8 : 16), 0),
    words: fold.words,
    registers: shape.dimension + body.target.length + fold.words,
    neighbours: workload.reduction === 'smallest' ? (workload.k ?? 1) : 0,
    sums: fold.sums(0).length > 0,
    bindingBytes: Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize),
    subgroups,
  }
}

export function pairShaders(workload: PairWorkload, shape: Shape, plan: PairPlan, guard: boolean): PairShaders {
  const { body, fold, texts, look, exclusions } = partsOf(workload, shape, guard)
  const run = body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) }))
  const fields = [...pairFields, ...run]
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describePlan(plan)}`
  if (plan.shape.group > 0) {
    const options = { body, dimension: shape.dimension, sameSet: shape.sameSet, exclusions }
    const { k = 1 } = workload
    // Each target is a source of its own here, which saves a test a pair; the selection leaves it out.
    const unskipped = { ...options, body: { ...body, skipSelf: false } }
    const minima = minimumFold()
    const mark = pairTexts({ ...unskipped, exclusions: false, fold: markFold(k) })
    const { skipSelf } = body
    const of = {
      k,
      targets: shape.targets,
      group: plan.shape.group,
      skipSelf,
      exclusions,
      resume: resume(texts, fold, [0], plan.shape, exclusions, () => 'at_0'),
    }
    return {
      body,
      pack: pack(`${label}: sources packed`, texts, fields),
      loop: pairLoop(label, pairTexts({ ...unskipped, fold: minima }), minima, plan.shape, run, exclusions),
      combine: selection(`${label}: selection`, { pair: texts, mark }, fold, of, fields),
    }
  }
  const left =
    look && settles(plan.shape, look) === 'combine' ? settle(texts, look, 0, plan.shape, 'run.sourceLast') : undefined
  return {
    body,
    pack: plan.shape.packed ? pack(`${label}: sources packed`, texts, fields) : undefined,
    loop: pairLoop(label, texts, fold, plan.shape, run, exclusions, look),
    combine: plan.shape.split ? combine(`${label}: second reduction`, texts, fold, fields, left) : undefined,
  }
}

interface Compiled {
  readonly body: PairBody
  readonly pack: Pipeline | undefined
  readonly loop: Pipeline
  readonly combine: Pipeline | undefined
}

/** A recipe whose program for the parameters of the law is compiled. */
export async function pairRecipe(host: GpuHost, workload: PairWorkload, shape: Shape, plan: PairPlan): Promise<Recipe> {
  const { fold, texts } = partsOf(workload, shape, true)
  const compiled = new Map<boolean, Promise<Compiled>>()
  const compiledFor = (guard: boolean): Promise<Compiled> => {
    const known = compiled.get(guard)
    if (known !== undefined) return known
    const shaders = pairShaders(workload, shape, plan, guard)
    const made = Promise.all([
      shaders.pack && compile(host, shaders.pack),
      compile(host, shaders.loop),
      shaders.combine && compile(host, shaders.combine),
    ]).then(([pack, loop, combine]) => ({ body: shaders.body, pack, loop, combine }))
    compiled.set(guard, made)
    return made
  }
  const needsGuard = guardOf(workload, shape.dimension)
  await compiledFor(needsGuard({ ...workload.law.parameters, ...domainParameters(workload) }))

  return {
    variant: describePlan(plan),
    accumulation: accumulationOf(chainOf(plan, shape.sources), shape.sources),
    inputs: texts.resources.map((r) => r.key),
    results(bindings, options) {
      const [first, last] = options.targets ?? [0, bindings.targets.count]
      return fold.results.map(({ name, hostType, width }): ResultArray => {
        const length = (last - first) * width
        return { name, type: hostType, length, held: length, most: bindings.sources.count }
      })
    },
    interactions: (bindings, options) => {
      const [targets, sources] = rangesOf(bindings, options)
      return (targets[1] - targets[0]) * (sources[1] - sources[0])
    },
    ready: async (bindings) => {
      await compiledFor(needsGuard(bindings.parameters))
    },
    async *steps(context, results) {
      const program = await compiledFor(needsGuard(context.bindings.parameters))
      if (program.pack) {
        const bytes = packedBytes(texts) * context.bindings.sources.count
        context.buffers.set('packed', await context.lease.array(bytes))
      }
      yield* pairSteps(context, results, program, fold, plan)
    },
  }
}

/** Terms of a tile, of a part, or of a slice of one, which are added one after the other. */
function chainOf({ shape: { blocks, slices, staging, workgroup }, parts }: PairPlan, sources: number): number {
  const block = staging === 'storage' ? blockLength : workgroup
  return Math.max(1, Math.ceil((blocks ? block : sources / parts) / slices))
}

function guardOf(workload: PairWorkload, dimension: Dimension): (p: Readonly<Record<string, number>>) => boolean {
  const term = termOf(workload, dimension)
  return (parameters) => isSingular(term, parameters)
}

/** Parameters of the domain as they stand in a workload, for the choice of the first program only. */
function domainParameters({ domain }: PairWorkload): Record<string, number> {
  const { cutoff } = domain
  return {
    ...(cutoff ? { cutoff: cutoff.distance } : {}),
    ...(cutoff?.switchDistance === undefined ? {} : { switchDistance: cutoff.switchDistance }),
  }
}

type Span = readonly [first: number, last: number]
const rangesOf = (bindings: Bindings, options: RunOptions): readonly [targets: Span, sources: Span] => [
  options.targets ?? [0, bindings.targets.count],
  options.sources ?? [0, bindings.sources.count],
]

/** Bytes that the minima of groups may take, at most. */
const minimaBytes = 2 ** 29

/** Targets that one array has room for, each with some words: whole blocks of them, as many in each range. */
function targetRanges({ host }: StepContext, [first, last]: Span, words: number, block: number): readonly Span[] {
  const bytes = Math.min(minimaBytes, host.info.limits.bindingBytes ?? 0)
  const blocks = Math.ceil((last - first) / block)
  const most = Math.max(1, Math.floor(bytes / (4 * Math.max(1, words) * block)))
  const length = block * Math.ceil(blocks / Math.ceil(blocks / most))
  return Array.from({ length: Math.ceil((last - first) / length) }, (_, r): Span => {
    return [first + r * length, Math.min(last, first + (r + 1) * length)]
  })
}

async function* pairSteps(
  context: StepContext,
  results: readonly ResultArray[],
  program: Compiled,
  fold: Fold,
  plan: PairPlan,
): AsyncGenerator<Step> {
  const { bindings, options, lease, buffers } = context
  const [targets, sources] = rangesOf(bindings, options)
  const { group } = plan.shape
  const block = targetsPerGroup(plan.shape)
  const words = group ? minimaWords(sources[1] - sources[0], group, plan.parts) : fold.words * plan.parts
  const ranges = group ? targetRanges(context, targets, words, block) : [targets]
  const [[first, last] = targets] = ranges
  if (program.combine) buffers.set('partial', await lease.array(4 * words * (last - first)))
  for (const range of ranges) {
    const [before, all] = [range[0] - targets[0], targets[1] - targets[0]]
    for await (const step of rangeSteps(context, program, plan, range, sources, before)) {
      const done = (before + step.done * (range[1] - range[0])) / all
      const reads = done < 1 ? [] : results.map(({ name, length }) => ({ name, at: 0, length }))
      yield { ...step, done, reads }
    }
  }
}

/** The steps of a range of targets, whose results begin at `resultFirst`: as many sources in each as fit its time. */
async function* rangeSteps(
  context: StepContext,
  program: Compiled,
  { shape, parts: mostParts }: PairPlan,
  [targetFirst, targetLast]: Span,
  [sourceFirst, sourceLast]: Span,
  resultFirst: number,
): AsyncGenerator<Omit<Step, 'reads'>> {
  const { bindings, options } = context
  const targetCount = targetLast - targetFirst
  const tile = shape.workgroup
  const parameters = Object.fromEntries(program.body.run.map((b) => [b.name, evaluate(b.expr, bindings.parameters)]))
  const [x, z] = spread(Math.ceil(targetCount / targetsPerGroup(shape)))
  const groupsX = shape.gridStride ? Math.min(x, 256) : x
  const groupsZ = shape.gridStride ? 1 : z
  const enders = shape.group > 0 ? selectionGroups(targetCount) : combineGroups(targetCount)
  let first = sourceFirst
  do {
    const fits = Math.ceil(context.budget() / targetCount / tile) * tile
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
    if (program.pack && count > 0) dispatches.push(await dispatchOf(context, program.pack, values, packGroups(count)))
    dispatches.push(await dispatchOf(context, program.loop, values, [groupsX, parts, groupsZ]))
    if (program.combine) dispatches.push(await dispatchOf(context, program.combine, values, enders))
    first += count
    const done = first >= sourceLast ? 1 : (first - sourceFirst) / (sourceLast - sourceFirst)
    yield { dispatches, interactions: targetCount * count, done }
  } while (first < sourceLast)
}
