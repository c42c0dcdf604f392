/**
 * The shaders that visit pairs within a cutoff by a grid of cells.
 *
 * @module
 */
import type { Plan } from '@manybody/core'
import { Remembered } from '@manybody/core/expression'
import type { LoopHost } from '../../design/facts.ts'
import type { BlockPlan } from '../../design/loop-shape.ts'
import { versionFor } from '../../design/versions.ts'
import { cellNames, cellsDesign, describeCells } from '../../designs/cells-design.ts'
import { derived } from '../../designs/lazily.ts'
import type { BlocksLoop, BlocksVersion } from '../../designs/pair-loops.ts'
import { caseOf } from '../../plans/pair-case.ts'
import { cellLoop } from '../loops/cell-loop.ts'
import { gatherCells } from '../loops/gather-cells.ts'
import { blockPlanOf, byCells } from '../plans/block-plan.ts'
import { countShader } from '../ranges/cell-order.ts'
import { cellShaders } from '../ranges/counting-sort.ts'
import { reachOf, spaceOf } from './block-reach.ts'
import { lawCaseOf, type PairProblem, type WrittenPair } from './pair-problem.ts'

const known = new Remembered<PairProblem['written'], BlocksLoop['versions']>()

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
      [count]: countShader(set, space),
      [gather]: gatherCells(`${label}: ${set} in cells`, set, space, packed, packed ? run : []),
    }
  })
  return {
    shaders: {
      ...cellShaders,
      ...Object.assign({}, ...ordering),
      loop: cellLoop(label, { texts, fold, shape: plan.shape, space, exclusions, run, sameSet: shape.sameSet }),
    },
    run: body.run,
    vectors: texts.record.length,
  }
}
