/**
 * Chooses the design of a workload. No device is needed.
 *
 * @module
 */
import type { Shape, Workload } from '@manybody/core'
import type { Designs, Planning } from '../../design/designs.ts'
import type { LoopHost } from '../../design/facts.ts'
import { foldDesigns } from '../../designs/fold-designs.ts'
import { elementDesign } from './element-design.ts'
import { matrixDesign } from './matrix-design.ts'
import { writtenLoops } from './pair-loops.ts'
import { treesOf } from './tree-designs.ts'

/** The designs of a workload. @throws RangeError if a plan does not fit the workload or the host */
export function designsOf(workload: Workload, shape: Shape, host: LoopHost, planning?: Planning): Designs {
  const trees = () => treesOf(workload, shape, host)
  if (workload.loop !== 'pair') return { of: (plan) => elementDesign(workload, shape, plan, host.limits), trees }
  if (workload.reduction !== 'none')
    return { ...foldDesigns(writtenLoops(workload, shape), workload, shape, host, planning), trees }
  return { of: (plan) => matrixDesign(workload, shape, plan, host.limits), trees }
}
