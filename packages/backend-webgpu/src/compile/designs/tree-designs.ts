/**
 * The trees of a workload: a design for each setting, made when it is first asked for.
 *
 * @module
 */
import type { Shape, TreeSetting, Workload } from '@manybody/core'
import { weightedWorkload } from '@manybody/core/weights'
import type { TreeDesign } from '../../design/design.ts'
import type { TreeDesigns } from '../../design/designs.ts'
import type { LoopHost } from '../../design/facts.ts'
import { fitting } from '../../designs/loaded-at-once.ts'
import { approximates, treeShare } from '../plans/tree-model.ts'
import { treeDesign } from './tree-design.ts'

/** Undefined if this device has no tree for the workload. */
export function treesOf(workload: Workload, shape: Shape, host: LoopHost): TreeDesigns | undefined {
  if (workload.loop !== 'pair' || !approximates(workload, shape)) return undefined
  const weighted = weightedWorkload(workload, shape.dimension)
  if (!weighted) return undefined
  const designs = new Map<string, TreeDesign | undefined>()
  const at = (setting: TreeSetting): TreeDesign | undefined => {
    const key = `${setting.proxies} ${setting.opening}`
    if (!designs.has(key))
      designs.set(
        key,
        fitting(() => treeDesign(weighted, shape, setting, host)),
      )
    return designs.get(key)
  }
  const share = (once: boolean) => treeShare(shape, host.info.kind, once)
  return at({ proxies: 'simplex', opening: 0.5 }) && { workload: weighted.workload, at, share }
}
