/**
 * The shaders that visit pairs within a cutoff by blocks of points.
 *
 * @module
 */

import type { Plan, Shape } from '@manybody/core'
import { namedTape, Remembered } from '@manybody/core/expression'
import { levelsOf } from '../../design/block-tree.ts'
import { gridLoop } from '../../design/even-grid.ts'
import type { LoopHost } from '../../design/facts.ts'
import type { BlockPlan } from '../../design/loop-shape.ts'
import type { Field, Shader } from '../../design/shader.ts'
import type { BoxSpace } from '../../design/space.ts'
import { versionFor } from '../../design/versions.ts'
import { blocksDesign, describeBlocks, gatherName } from '../../designs/blocks-design.ts'
import { derived } from '../../designs/lazily.ts'
import type { BlocksLoop, BlocksVersion } from '../../designs/pair-loops.ts'
import { caseOf } from '../../plans/pair-case.ts'
import type { Fold } from '../folds/fold.ts'
import { blockLoop, blockLoopBytes } from '../loops/block-loop.ts'
import { gather } from '../loops/gather.ts'
import { nearestLoop } from '../loops/nearest-loop.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { type SetSizes, setSizes } from '../parts/size-texts.ts'
import { blockPlanOf } from '../plans/block-plan.ts'
import { levelShader } from '../ranges/boxes.ts'
import type { WalkShape } from '../ranges/cutoff-walk.ts'
import { layGrid } from '../ranges/even-grid.ts'
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
  const place = { owned: plan.targets, passes: plan.shape.slices === 1 }
  const { fold, texts, look: any } = written.inAnyOrder(place)
  const look = any?.settle ? undefined : any
  const set = shape.sameSet ? 'points' : 'sources'
  const { space, narrowing } = walk
  const loop = { texts, fold, shape: plan.shape, exclusions, run }
  const byGrid = narrowing && texts.hasRoom && visitsGrid(fold, plan, space, shape) ? narrowing : undefined
  const grid = byGrid && layGrid(set, shape.sameSet ? undefined : 'targets', byGrid.kept, space)
  return {
    shaders: {
      ...(!shape.sameSet && arranging(label, 'targets', walk, { run, sizes })),
      ...arranging(label, set, walk, { run, sizes, texts, grid }),
      ...(walk.levels > 1 && { level: levelShader }),
      ...(byGrid && {
        [gridLoop]: nearestLoop(`${label}: by a grid`, {
          ...{ ...loop, ...written.inAnyOrder(place, true), narrowing: byGrid, space, sameSet: shape.sameSet },
        }),
      }),
      loop: blockLoop(label, { ...loop, look, walk, unlessEven: grid !== undefined }),
    },
    run: namedTape([...body.run, ...(sizes?.run ?? [])]),
    vectors: texts.record.length,
    ...(sizes && { sized: true }),
  }
}

/**
 * Whether the device may visit sources by a grid: targets keep the nearest, alone and in open space, where no lower halves are added to
 * coordinates.
 */
const visitsGrid = ({ forget }: Fold, { shape: { slices } }: BlockPlan, space: BoxSpace, { split }: Shape) =>
  forget !== undefined && slices === 1 && !space.periodic && !split

/** The shaders that put a set in order and fit the boxes of its blocks. @param texts for packing, if the points are sources */
function arranging(
  label: string,
  set: string,
  { space, narrowing }: WalkShape,
  {
    run,
    sizes,
    texts,
    grid,
  }: Pick<WrittenPair, 'run'> & {
    readonly sizes: SetSizes | undefined
    readonly texts?: PairTexts
    readonly grid?: Shader | undefined
  },
): Readonly<Record<string, Shader>> {
  const ofSizes = sizes?.run.map(({ name }): Field => ({ name, type: 'f32' })) ?? []
  return {
    ...orderingShaders(set, space, grid),
    [gatherName(set)]: gather(
      `${label}: ${set} in blocks`,
      set,
      space,
      texts && { ...texts, neededOfEqual: narrowing?.neededOfEqual, indexed: grid !== undefined },
      [...(texts ? run : []), ...ofSizes],
      sizes?.of(set),
    ),
  }
}
