/**
 * The shaders that visit pairs within a cutoff by a grid of cells.
 *
 * @module
 */

import type { Plan } from '@manybody/core'
import { namedTape, Remembered } from '@manybody/core/expression'
import type { LoopHost } from '../../design/facts.ts'
import type { BlockPlan } from '../../design/loop-shape.ts'
import { versionFor } from '../../design/versions.ts'
import { cellNames, cellsDesign, describeCells } from '../../designs/cells-design.ts'
import { derived } from '../../designs/lazily.ts'
import type { BlocksLoop, BlocksVersion } from '../../designs/pair-loops.ts'
import { describeVerlet } from '../../designs/verlet-design.ts'
import { caseOf } from '../../plans/pair-case.ts'
import { cellLoop } from '../loops/cell-loop.ts'
import { gatherCells } from '../loops/gather-cells.ts'
import { refreshShader } from '../loops/refresh.ts'
import { verletLoop } from '../loops/verlet-loop.ts'
import { blockPlanOf, byCells } from '../plans/block-plan.ts'
import { carriedOrNow } from '../ranges/carried-positions.ts'
import { clearCells, pointAt, sortShaders, writeCount } from '../ranges/cell-sort.ts'
import { deciding } from '../ranges/deciding.ts'
import { sharedShader } from '../ranges/shared-shaders.ts'
import { always, whenRound } from '../ranges/when.ts'
import { reachOf, spaceOf } from './block-reach.ts'
import { lawCaseOf, type PairProblem, type WrittenPair } from './pair-problem.ts'

const known = new Remembered<PairProblem['written'], BlocksLoop['versions']>()
const knownLasting = new Remembered<PairProblem['written'], BlocksLoop['versions']>()

/** @throws RangeError if the workload or the device cannot visit cells */
export function cellsLoop(problem: PairProblem, plan: Plan, host: LoopHost): BlocksLoop {
  const { shape, guard, written } = problem
  const { fold } = versionFor({ versions: written, guard })
  const chosen = blockPlanOf(
    problem,
    plan,
    caseOf(lawCaseOf(problem), host, shape),
    () => 8 + 4 * (fold.memory?.length ?? 0),
    byCells,
  )
  return {
    plan: chosen,
    versions: known.of(
      written,
      () => derived(written, (one) => cellsVersion(problem, one, chosen)),
      JSON.stringify(chosen),
    ),
    ...(shape.sameSet && {
      lasting: knownLasting.of(
        written,
        () => derived(written, (one) => verletVersion(problem, one, chosen)),
        JSON.stringify(chosen),
      ),
    }),
    reach: reachOf(problem),
    design: cellsDesign,
  }
}

function cellsVersion(problem: PairProblem, written: WrittenPair, plan: BlockPlan): BlocksVersion {
  const { workload, shape, exclusions } = problem
  const space = spaceOf(problem)
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeCells(plan)}`
  const { fold, texts, run, body } = written.ofImages(plan.targets)
  const sets = shape.sameSet ? (['points'] as const) : (['targets', 'sources'] as const)
  const ordering = sets.map((set) => {
    const [count, gather] = cellNames(set)
    const packed = set === 'targets' ? undefined : texts
    return {
      [count]: sharedShader('count', set, space, () => writeCount(set, space, always, pointAt(set, space))),
      [gather]: gatherCells(`${label}: ${set} in cells`, set, space, packed, packed ? run : []),
    }
  })
  return {
    shaders: {
      ...unconditional,
      ...Object.assign({}, ...ordering),
      loop: cellLoop(label, { texts, fold, shape: plan.shape, space, exclusions, run, sameSet: shape.sameSet }),
    },
    run: namedTape(body.run),
    vectors: texts.record.length,
  }
}

const unconditional = { clearCells, ...sortShaders(always) }

const sorts = whenRound('sorts')
const inSorting = sortShaders(sorts)

function verletVersion(problem: PairProblem, written: WrittenPair, plan: BlockPlan): BlocksVersion {
  const { workload, exclusions } = problem
  const space = spaceOf(problem)
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeVerlet(describeCells(plan))}`
  const { fold, texts, run, body } = written.ofImages(plan.targets)
  const options = { texts, fold, shape: plan.shape, space, exclusions, run }
  const [count, gather] = cellNames('points')
  return {
    shaders: {
      refresh: refreshShader(`${label}: points in the order of the lists`, space, texts, run),
      [count]: sharedShader('recount', 'points', space, () =>
        writeCount('points', space, deciding, carriedOrNow('points', space)),
      ),
      ...inSorting,
      [gather]: gatherCells(`${label}: points in cells`, 'points', space, texts, run, { when: sorts, rebuilt: true }),
      cells: cellLoop(`${label}, built by cells`, { ...options, sameSet: true, lists: true }),
      loop: verletLoop(label, options),
    },
    run: namedTape(body.run),
    vectors: texts.record.length,
  }
}
