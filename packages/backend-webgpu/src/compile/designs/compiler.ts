/**
 * The compiler: shaders of workloads from their laws. The runtime loads it when a law is prepared.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import type { Designs, LoopDesigns, Planning } from '../../design/designs.ts'
import type { LoopHost } from '../../design/facts.ts'
import { blocksVariant, cellsVariant, onceSuits, onceVariant } from '../../designs/loaded-at-once.ts'

/**
 * Loads the loops that the workload and the plan may need.
 *
 * @returns makes the designs. @throws RangeError if the plan does not fit the workload or the host
 */
export async function loadCompiler(
  workload: Workload,
  shape: Shape,
  host: LoopHost,
  planning: Planning | undefined,
  plan: Plan | undefined,
): Promise<() => Designs> {
  const loops = await loadLoops(workload, shape, host, planning, plan)
  const trees = async () => (await import('./tree-designs.ts')).treesOf(workload, shape, host)
  return () => ({ ...loops(), trees })
}

async function loadLoops(
  workload: Workload,
  shape: Shape,
  host: LoopHost,
  planning: Planning | undefined,
  plan: Plan | undefined,
): Promise<() => LoopDesigns> {
  if (!meetsAllPairs(workload, shape, plan)) {
    const { designsOf } = await import('./designs.ts')
    return () => designsOf(workload, shape, host, planning)
  }
  const { targets } = planning?.crowd(shape) ?? shape
  const once = plan?.variant === onceVariant || onceSuits(targets, planning?.host ?? host)
  const [{ sumDesigns }, { onceVersion } = {}] = await Promise.all([
    import('./sum-designs.ts'),
    once ? import('./once-versions.ts') : undefined,
  ])
  return () => sumDesigns(workload, shape, host, planning, onceVersion)
}

/** Whether a workload is a sum without vectors that no plan limits to near points. */
const meetsAllPairs = (workload: Workload, shape: Shape, plan: Plan | undefined): workload is PairWorkload =>
  workload.loop === 'pair' &&
  workload.reduction === 'sum' &&
  workload.domain.cutoff === undefined &&
  shape.lengths === undefined &&
  plan?.variant !== blocksVariant &&
  plan?.variant !== cellsVariant
