/**
 * How devices get a workload: as it is, with images of its points, or in blocks of components. Each device may take a vector in its own
 * way, so a call decides again when another device takes over.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import { isRefusal } from '../../contract/candidates/refusals.ts'
import { copiesIn } from '../../problem/workloads/domain.ts'
import { isVectorSum } from '../../problem/workloads/law-facts.ts'
import type { PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'
import type { CurrentDevice, Happened } from '../devices/current-device.ts'
import type { Programs } from '../programs.ts'

/** Whether sources act through several images, because the box is smaller than two cutoffs. */
export const needsImages = (workload: Workload): workload is PairWorkload =>
  workload.loop === 'pair' && copiesIn(workload.domain) !== undefined

/** Whether the sum is a vector that the device gets in blocks of components. */
export const isInBlocks = (workload: Workload, shape: Shape, device: Device): workload is PairWorkload =>
  isVectorSum(workload, shape) && (needsImages(workload) || !device.sumsVectors || !device.supports(workload, shape).ok)

/** The outcome for a vector that the device in use gets in blocks, so nothing was done. */
interface InBlocks {
  readonly inBlocks: true
}

/** Does some work with a vector as a whole. A device that refuses it may take its blocks. */
export function wholly<T extends object>(
  current: CurrentDevice,
  workload: PairWorkload,
  shape: Shape,
  work: (programs: Programs) => Promise<T>,
): Promise<(T | InBlocks) & Happened> {
  return current.recovering<T | InBlocks>(async (programs) => {
    if (isInBlocks(workload, shape, programs.device)) return { inBlocks: true }
    try {
      return await work(programs)
    } catch (error) {
      if (isRefusal(error)) return { inBlocks: true }
      throw error
    }
  })
}
