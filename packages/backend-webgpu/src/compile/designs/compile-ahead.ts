/**
 * Compiles a workload ahead of time, for files: all loops that the plan model chooses by itself, for any number of points, on
 * any device.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { isVectorSum } from '@manybody/core/expression'
import { levelsOf } from '../../design/block-tree.ts'
import type { ElementVersion, MatrixVersion, VectorVersion } from '../../design/design.ts'
import type { LoopHost, LoopLimits } from '../../design/facts.ts'
import { leastLimits } from '../../design/least-limits.ts'
import { describeBlocks } from '../../designs/blocks-design.ts'
import { describeCells } from '../../designs/cells-design.ts'
import type {
  CompiledWebGpu,
  FiledBlocks,
  FiledForm,
  FiledLoops,
  FiledNear,
  FiledOnce,
} from '../../designs/compiled.ts'
import type { PairLoops } from '../../designs/pair-loops.ts'
import { describeOnce, earlyPlan, onceKey, oncePays, oncePlanOf } from '../../plans/once-plan.ts'
import { caseOf } from '../../plans/pair-case.ts'
import { choosePlan, describePlan, loopKey, type PairPlan, planOf } from '../../plans/plan.ts'
import { blocksVariant, cellsVariant, onceVariant } from '../../plans/variants.ts'
import { chooserShader } from '../ranges/choose-blocks.ts'
import { allParts } from './all-parts.ts'
import { blocksLoop } from './blocks-loop.ts'
import { cellsLoop } from './cells-loop.ts'
import { elementDesign } from './element-design.ts'
import { FiledShaders } from './filed-shaders.ts'
import { matrixDesign } from './matrix-design.ts'
import { nearFacts } from './near.ts'
import { writtenLoops } from './pair-loops.ts'
import { pairProblem } from './pair-problem.ts'
import { vectorDesign } from './vector-design.ts'

export interface AheadOptions {
  /** The forms that the numbers of a run may have: coordinates in two parts, lengths in another unit. */
  readonly forms: readonly Pick<Shape, 'split' | 'scaled'>[]
  /** The file holds the plans for these numbers of points of either set; any number by default. */
  readonly counts?: readonly number[]
  /** The file holds the shaders for these guards, as texts; for all by default. */
  readonly guards?: readonly string[]
}

/**
 * Powers of two from one point to 16 million, and a number that fills no large workgroups. Any other number of points gets a plan that one of
 * these has, too.
 */
const anyCounts = [...Array.from({ length: 25 }, (_, n) => 2 ** n), 20_000]

/** Size of the subgroups for loops that meet each pair once. Most cards have it; others meet each pair twice. */
const subgroup = 32

/** Arrays of any size: a device refuses those that are too long for it. */
const roomy = { maxStorageBufferBindingSize: 2 ** 40, maxBufferSize: 2 ** 40 }

const cardOf = (limits: Partial<LoopLimits>): LoopHost => ({
  info: { name: 'a card', kind: 'hardware' },
  limits: { ...leastLimits, ...roomy, ...limits },
  subgroups: { least: subgroup, most: subgroup },
})

const large = { maxComputeInvocationsPerWorkgroup: 1024, maxComputeWorkgroupSizeX: 1024 }

/** Devices with limits that lead to different plans. */
const hosts: readonly LoopHost[] = [
  { info: { name: 'a software GPU', kind: 'software' }, limits: leastLimits, subgroups: undefined },
  cardOf({}),
  cardOf({ ...large, maxComputeWorkgroupStorageSize: 2 ** 15 }),
  cardOf({ ...large, maxComputeWorkgroupStorageSize: 3 * 2 ** 14 }),
]

/** @param shape its numbers of points do not matter */
export function compileWebGpu(
  workload: Workload,
  shape: Shape,
  { forms, counts = anyCounts, guards }: AheadOptions,
): CompiledWebGpu {
  const shaders = new FiledShaders(guards)
  const filed = forms.map((form) => formOf(workload, { ...shape, ...form }, shaders, counts))
  return { ...shaders.data, forms: filed }
}

function formOf(workload: Workload, shape: Shape, shaders: FiledShaders, counts: readonly number[]): FiledForm {
  const form = { split: shape.split === true, scaled: shape.scaled === true }
  const vector = isVectorSum(workload, shape) ? workload : undefined
  if (workload.loop === 'pair' && workload.reduction !== 'none' && !vector)
    return { ...form, loops: loopsOf(workload, shape, shaders, counts) }
  const design = vector
    ? vectorDesign(vector, shape, undefined)
    : workload.loop === 'pair'
      ? matrixDesign(workload, shape, undefined, { limits: leastLimits, software: true, tiled: false })
      : elementDesign(workload, shape, undefined, leastLimits)
  const versions = shaders.versions<ElementVersion | MatrixVersion | VectorVersion>(design.versions)
  return { ...form, design: { ...design, versions } }
}

function loopsOf(workload: PairWorkload, shape: Shape, shaders: FiledShaders, counts: readonly number[]): FiledLoops {
  const sizes = counts.flatMap((targets) =>
    shape.sameSet
      ? [{ ...shape, targets, sources: targets }]
      : counts.map((sources) => ({ ...shape, targets, sources })),
  )
  const loops = writtenLoops(workload, shape, allParts)
  const { law, guard, inputs, results } = loops
  const once = onceOf(loops, sizes, shaders)
  const pair: Record<string, FiledLoops['pair'][string]> = {}
  const keep = (plan: PairPlan, points: Shape) => {
    const key = loopKey(plan, points.targets)
    pair[key] ??= shaders.versions(writtenLoops(workload, points, allParts).pair(plan), (label) =>
      label.replace(describePlan(plan), plan.variant),
    )
  }
  for (const host of hosts) for (const points of sizes) keep(choosePlan(caseOf(law, host, points)), points)
  // With this loop, a device proves the loops that meet each pair once.
  if (once) keep(planOf({ variant: 'naive' }, caseOf(law, cardOf({}), shape)), shape)
  const near = nearOf(workload, shape, shaders, counts)
  return { law, guard, inputs, results, pair, ...(once && { once }), ...(near && { near }) }
}

function onceOf({ once }: PairLoops, sizes: readonly Shape[], shaders: FiledShaders): FiledOnce | undefined {
  const host = cardOf({})
  const versions: Record<string, FiledOnce['versions'][string]> = {}
  for (const { targets, sameSet } of sizes) {
    if (!sameSet || !oncePays(once.facts, targets, host)) continue
    const usual: Plan = { variant: onceVariant }
    for (const plan of [usual, earlyPlan(usual, targets)]) {
      if (!plan) continue
      const sized = oncePlanOf(once.facts, targets, plan, host)
      versions[onceKey(sized)] ??= shaders.versions(once.versions(sized), (label) =>
        label.replace(describeOnce(sized), onceVariant),
      )
    }
  }
  if (Object.keys(versions).length === 0) return undefined
  return { facts: { obstacle: undefined, registers: once.facts.registers, subgroups: [subgroup] }, versions }
}

/** The loops over blocks, for trees of all heights, and over cells. Only cards choose them by themselves. */
function nearOf(
  workload: PairWorkload,
  shape: Shape,
  shaders: FiledShaders,
  counts: readonly number[],
): FiledNear | undefined {
  const facts = nearFacts(workload, shape)
  if (!facts) return undefined
  const loops: Record<string, FiledBlocks> = {}
  const cells: Record<string, FiledBlocks> = {}
  for (const sources of counts) {
    if (facts.cells) {
      const problem = pairProblem(workload, { ...shape, targets: sources, sources }, allParts.foldOf)
      const { plan, versions, reach } = cellsLoop(problem, { variant: cellsVariant }, cardOf({}))
      const short = (label: string) => label.replace(describeCells(plan), cellsVariant)
      cells[plan.targets] ??= { plan, reach, versions: shaders.versions(versions, short) }
    }
    const { plan, versions, reach } = blocksLoop(
      pairProblem(workload, { ...shape, sources }, allParts.foldOf),
      { variant: blocksVariant },
      cardOf({}),
    )
    const short = (label: string) => label.replace(describeBlocks(plan), blocksVariant)
    loops[levelsOf(sources).length] ??= { plan, reach, versions: shaders.versions(versions, short) }
  }
  return { facts, chooser: shaders.add(chooserShader(facts.space, shape.sameSet)), loops, cells }
}
