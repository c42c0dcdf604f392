/**
 * Compiles a workload ahead of time, for files: all modules that a run may choose from, for any number of points.
 *
 * @module
 */
import type { PairWorkload, Precision, Shape, Workload } from '@manybody/core'
import { guardsOf } from '@manybody/core/backend'
import { weightedWorkload } from '@manybody/core/weights'
import type { CompiledCpu, CompiledModules, FiledDesign, FiledProgram, FiledTree } from '../../design/compiled.ts'
import type { ProgramDesign } from '../../design/design.ts'
import { type LoopOptions, type LoopPlan, leastUnitBlocks, tileSources } from '../../design/loop-plan.ts'
import { textOf } from '../../design/module-text.ts'
import type { PlanFacts } from '../../design/plan-facts.ts'
import { factsOf } from '../plans/derive-facts.ts'
import { designsBy, type Target } from './compiler.ts'
import { designOf } from './designs.ts'
import { treeDesignsOf } from './tree-designs.ts'

export interface AheadOptions {
  readonly precisions: readonly Precision[]
  /** The forms that the numbers of a run may have: coordinates in two parts, lengths in another unit. */
  readonly forms: readonly Pick<Shape, 'split' | 'scaled'>[]
}

/** @param shape its numbers of points do not matter */
export function compileCpu(workload: Workload, shape: Shape, { precisions, forms }: AheadOptions): CompiledCpu {
  return precisions.flatMap((precision) =>
    (precision === 'f64' ? [{}] : forms).map((form) => modulesOf(workload, { ...shape, ...form }, precision)),
  )
}

function modulesOf(workload: Workload, shape: Shape, precision: Precision): CompiledModules {
  const facts = factsOf(workload, shape)
  const target = { precision, shared: false }
  const { of } = designsBy(designOf, facts, workload, shape, target)
  const programs = loopsOf(workload, facts).map((loop): FiledProgram => ({ loop, design: filed(of(loop)) }))
  const approximated = workload.loop === 'pair' && workload.method && facts.pair?.linear
  const tree = approximated && weightedWorkload(workload, shape.dimension) && treeOf(workload, shape, target)
  return {
    precision,
    split: shape.split === true,
    scaled: shape.scaled === true,
    facts,
    programs,
    ...(tree && { tree }),
  }
}

function treeOf(workload: PairWorkload, shape: Shape, target: Target): FiledTree {
  const { weights, guard, of } = treeDesignsOf(workload, shape, target)
  return { weights, guard, designs: guardsOf(guard).map((one) => ({ guard: one, design: filed(of(one)) })) }
}

/** A design as a file holds it. */
export const filed = ({ module, ...design }: ProgramDesign): FiledDesign => ({ ...design, module: textOf(module) })

/** Every loop that the plans of this backend choose by themselves. */
function loopsOf(workload: Workload, { guard, pair }: PlanFacts): readonly LoopOptions[] {
  const all: LoopPlan = {
    fused: false,
    registers: undefined,
    tile: tileSources,
    visit: 'all',
    unitBlocks: leastUnitBlocks,
  }
  const plans: Omit<LoopOptions, 'guard'>[] = [{ ...all, divides: false, lasts: false }]
  if (pair && pair.onceObstacle === undefined && (workload as PairWorkload).reduction === 'sum') {
    const once = { ...all, visit: 'once', lasts: false } as const
    plans.push({ ...once, divides: false })
    if (pair.cancelsInertia) plans.push({ ...once, divides: true })
  }
  const blocks = { ...all, visit: 'blocks', divides: false, lasts: false } as const
  if (pair?.blocks) plans.push(blocks)
  if (pair?.sized) plans.push({ ...blocks, sized: true })
  return plans.flatMap((plan) => guardsOf(guard).map((one) => ({ ...plan, guard: one })))
}
