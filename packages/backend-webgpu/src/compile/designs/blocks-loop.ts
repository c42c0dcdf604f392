/**
 * The shaders that visit pairs within a cutoff by blocks of points.
 *
 * @module
 */
import type { Plan } from '@manybody/core'
import { Remembered } from '@manybody/core/expression'
import { levelsOf } from '../../design/block-tree.ts'
import type { LoopHost } from '../../design/facts.ts'
import type { BlockPlan } from '../../design/loop-shape.ts'
import type { Field, Shader } from '../../design/shader.ts'
import { versionFor } from '../../design/versions.ts'
import { blocksDesign, describeBlocks, gatherName } from '../../designs/blocks-design.ts'
import { derived } from '../../designs/lazily.ts'
import type { BlocksLoop, BlocksVersion } from '../../designs/pair-loops.ts'
import { caseOf } from '../../plans/pair-case.ts'
import { blockLoop, blockLoopBytes } from '../loops/block-loop.ts'
import { gather } from '../loops/gather.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { type SetSizes, setSizes } from '../parts/size-texts.ts'
import { blockPlanOf } from '../plans/block-plan.ts'
import { levelShader } from '../ranges/boxes.ts'
import type { WalkShape } from '../ranges/cutoff-walk.ts'
import { isSized, narrowingOf, reachOf, spaceOf } from './block-reach.ts'
import { orderingShaders } from './ordering-shaders.ts'
import { lawCaseOf, type PairProblem, type WrittenPair } from './pair-problem.ts'

const known = new Remembered<PairProblem['written'], BlocksLoop['versions']>()

/** @throws RangeError if the workload or the device cannot visit blocks */
export function blocksLoop(problem: PairProblem, plan: Plan, host: LoopHost): BlocksLoop {
  const { shape, guard, written } = problem
  const sizes = setSizes(problem.workload, shape)
  const walkOf = (workgroup: number, targets: number): WalkShape => ({
    ...{ space: spaceOf(problem), workgroup },
    levels: levelsOf(shape.sources).length,
    sized: isSized(problem),
    bySizes: sizes !== undefined,
    narrowing: narrowingOf(problem, workgroup, targets),
  })
  const { texts } = versionFor({ versions: written, guard })
  const chosen = blockPlanOf(problem, plan, caseOf(lawCaseOf(problem), host, shape), (workgroup) =>
    blockLoopBytes(texts, walkOf(workgroup, workgroup)),
  )
  const walk = () => walkOf(chosen.shape.workgroup, chosen.targets)
  return {
    plan: chosen,
    versions: known.of(
      written,
      () => derived(written, (one) => blocksVersion(problem, one, chosen, walk(), sizes)),
      JSON.stringify([chosen, levelsOf(shape.sources).length]),
    ),
    reach: reachOf(problem),
    design: blocksDesign,
  }
}

function blocksVersion(
  problem: PairProblem,
  written: WrittenPair,
  plan: BlockPlan,
  walk: WalkShape,
  sizes: SetSizes | undefined,
): BlocksVersion {
  const { workload, shape, exclusions } = problem
  const { run, body } = written
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeBlocks(plan)}`
  const { fold, texts, look: any } = written.inAnyOrder({ owned: plan.targets, passes: plan.shape.slices === 1 })
  const look = any?.settle ? undefined : any
  return {
    shaders: {
      ...(!shape.sameSet && arranging(label, 'targets', walk, { run, sizes })),
      ...arranging(label, shape.sameSet ? 'points' : 'sources', walk, { run, sizes, texts }),
      ...(walk.levels > 1 && { level: levelShader }),
      loop: blockLoop(label, { texts, fold, look, shape: plan.shape, walk, exclusions, run }),
    },
    run: [...body.run, ...(sizes?.run ?? [])],
    vectors: texts.record.length,
    ...(sizes && { sized: true }),
  }
}

/** The shaders that put a set in order and fit the boxes of its blocks. @param texts for packing, if the points are sources */
function arranging(
  label: string,
  set: string,
  { space, narrowing }: WalkShape,
  {
    run,
    sizes,
    texts,
  }: Pick<WrittenPair, 'run'> & { readonly sizes: SetSizes | undefined; readonly texts?: PairTexts },
): Readonly<Record<string, Shader>> {
  const ofSizes = sizes?.run.map(({ name }): Field => ({ name, type: 'f32' })) ?? []
  return {
    ...orderingShaders(set, space),
    [gatherName(set)]: gather(
      `${label}: ${set} in blocks`,
      set,
      space,
      texts && { ...texts, neededOfEqual: narrowing?.neededOfEqual },
      [...(texts ? run : []), ...ofSizes],
      sizes?.of(set),
    ),
  }
}
