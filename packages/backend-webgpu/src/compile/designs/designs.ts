/**
 * Chooses the design of a workload. No device is needed.
 *
 * @module
 */
import type { Shape, Workload } from '@manybody/core'
import { isVectorSum } from '@manybody/core/expression'
import type { LoopDesigns, Planning } from '../../design/designs.ts'
import type { LoopHost } from '../../design/facts.ts'
import { foldDesigns } from '../../designs/loaded-at-once.ts'
import { allParts } from './all-parts.ts'
import { elementDesign } from './element-design.ts'
import { writtenLoops } from './loaded-at-once.ts'
import { matrixDesign } from './matrix-design.ts'
import { vectorDesign } from './vector-design.ts'

export { prefersBlocks } from '../plans/whole-vectors.ts'

/** The designs of any workload. @throws RangeError if a plan does not fit the workload or the host */
export function designsOf(workload: Workload, shape: Shape, host: LoopHost, planning?: Planning): LoopDesigns {
  if (workload.loop !== 'pair') return { of: (plan) => elementDesign(workload, shape, plan, host.limits) }
  if (workload.reduction === 'none') {
    const [software, tiled] = [host.info.kind === 'software', (planning?.host ?? host).info.kind === 'hardware']
    return { of: (plan) => matrixDesign(workload, shape, plan, { limits: host.limits, software, tiled }) }
  }
  const found = isVectorSum(workload, shape) ? workload : undefined
  if (found) return { of: (plan) => vectorDesign(found, shape, plan) }
  return foldDesigns(writtenLoops(workload, shape, allParts), workload, shape, host, planning)
}
