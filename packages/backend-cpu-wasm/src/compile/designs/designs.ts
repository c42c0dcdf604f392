/**
 * The design for a workload: one way for pairs, one for loops that visit each element once.
 *
 * @module
 */

import type { Shape, Workload } from '@manybody/core'
import { gridParameters, namedTape } from '@manybody/core/expression'
import type { InputArray, PhaseShape, ProgramDesign } from '../../design/design.ts'
import type { LoopOptions } from '../../design/loop-plan.ts'
import { mathCall } from '../expressions/functions.ts'
import type { WriterOptions } from '../expressions/module-writer.ts'
import { foldOf } from '../folds/folds.ts'
import { vectorSum } from '../folds/vector-sum.ts'
import { stencilLoop } from '../loops/grid-loop.ts'
import { defineMatrix } from '../loops/matrix-loop.ts'
import { nearestPass } from '../loops/nearest-pass.ts'
import { defineOnce } from '../loops/pairs-once-loop.ts'
import { cellLoop, mapLoop } from '../loops/particle-loop.ts'
import { defineRangedPass } from '../loops/ranged-loop.ts'
import { defineVerletLists } from '../loops/verlet-lists.ts'
import { blockParts } from './block-parts.ts'
import type { PairParts } from './pair-design.ts'
import { cheapUnits, pairProgram } from './pair-program.ts'
import { loopReport } from './variant.ts'
import { encoded, type WrittenDesign } from './written.ts'

/** The folds and loops of all reductions. */
export const allParts: PairParts = {
  ...{ foldOf, defineMatrix, defineOnce, defineRangedPass, vectorSum },
  ...{ nearestPass, defineVerletLists, blocks: blockParts },
}

/** The design of any workload. */
export function designOf(workload: Workload, shape: Shape, options: WriterOptions, plan: LoopOptions): ProgramDesign {
  return encoded(writtenOf(workload, shape, options, plan))
}

export function writtenOf(workload: Workload, shape: Shape, given: WriterOptions, plan: LoopOptions): WrittenDesign {
  const options = { ...given, math: mathCall }
  if (workload.loop === 'pair') return pairProgram(workload, shape, options, plan, allParts)
  const grid = workload.loop === 'grid'
  const element = grid
    ? stencilLoop(workload, options)
    : workload.operation === 'map'
      ? mapLoop(workload, shape, options)
      : cellLoop(workload, shape, options)
  const vectors = workload.loop === 'particle' && workload.operation === 'cellIndex' ? ['position'] : shape.vectors
  const arrays: readonly InputArray[] = [
    ...element.arrays.map((name) => {
      return { side: 'target' as const, name, components: vectors.includes(name) ? shape.dimension : 1 }
    }),
    ...[...(element.gathered ?? [])].map(([name, components]) => ({ side: 'source' as const, name, components })),
  ]
  const [nx = 1] = grid ? workload.grid.cells : []
  const points = grid ? nx : options.vector.lanes
  const callUnits = Math.max(1, Math.ceil((4 * cheapUnits) / points))
  const phase: PhaseShape = { name: 'elements', points, callUnits, over: 'target', pairs: false, nanoseconds: 2 }
  const { writer, results, scratchBytes } = element
  return {
    ...loopReport(workload, shape, { writer, visit: plan.visit, registers: 1, inBlocks: false }),
    ...{ writer, results, scratchBytes },
    run: namedTape(element.body.run),
    parameters: 'grid' in workload ? gridParameters(workload.grid) : {},
    arrays,
    phases: grid ? [phase, { ...phase, name: 'copy' }] : [phase],
    inPlace: grid ? 'copy' : 'direct',
  }
}
