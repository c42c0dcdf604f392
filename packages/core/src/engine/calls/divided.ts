/**
 * How devices get a workload: as it is, with images of its points, or in blocks of components. Each device may take a vector in its own
 * way, so a call decides again when another device takes over.
 *
 * @module
 */
import type { Device, Plan } from '../../contract/backend.ts'
import { isRefusal } from '../../contract/candidates/refusals.ts'
import { isCompiled } from '../../problem/workloads/compiled.ts'
import { copiesIn } from '../../problem/workloads/domain.ts'
import { isVectorSum } from '../../problem/workloads/law-facts.ts'
import type { PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'
import type { CurrentDevice, Happened } from '../devices/current-device.ts'
import { programKey } from '../program-key.ts'
import type { Programs } from '../programs.ts'

interface WantedVector {
  readonly workload: PairWorkload
  readonly shape: Shape
  readonly plan: Plan | undefined
}

/** Whether sources act through several images, because the box is smaller than two cutoffs. */
export const needsImages = (workload: Workload): workload is PairWorkload =>
  workload.loop === 'pair' && copiesIn(workload.domain) !== undefined

/** Whether the sum is a vector that a device may get in blocks. A file holds programs of whole vectors alone. */
export const isDivisible = (workload: Workload, shape: Shape): workload is PairWorkload =>
  !isCompiled(workload) && isVectorSum(workload, shape)

/** Whether the sum is a vector that the device gets in blocks of components. */
export const isInBlocks = (workload: Workload, shape: Shape, device: Device): workload is PairWorkload =>
  isDivisible(workload, shape) && (needsImages(workload) || !device.sumsVectors || !device.supports(workload, shape).ok)

/** Whether sums of a few components are faster on a device. A plan may be one for the whole vector. */
export const prefersBlocks = async (device: Device, { workload, shape, plan }: WantedVector): Promise<boolean> =>
  !plan && (await device.prefersBlocks?.(workload, shape)) === true

/** The outcome for a vector that the device in use gets in blocks, so nothing was done. */
interface InBlocks {
  readonly inBlocks: true
}

/** By device, the keys of programs that it refused. It may have compiled them to find that out. */
const refused = new WeakMap<Device, Set<string>>()
/** A device that refuses more forgets them all. */
const mostRefused = 128

/** Does some work with a vector as a whole. A device that refuses it may take its blocks, from then on at once. */
export function wholly<T extends object>(
  current: CurrentDevice,
  wanted: WantedVector,
  work: (programs: Programs) => Promise<T>,
): Promise<(T | InBlocks) & Happened> {
  const { workload, shape, plan } = wanted
  const key = programKey(workload, shape, plan)
  return current.recovering<T | InBlocks>(async (programs) => {
    const { device } = programs
    const known = refused.get(device)
    if (isInBlocks(workload, shape, device) || known?.has(key)) return { inBlocks: true }
    if (await prefersBlocks(device, wanted)) return { inBlocks: true }
    try {
      return await work(programs)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refused.set(device, known && known.size < mostRefused ? known.add(key) : new Set([key]))
      return { inBlocks: true }
    }
  })
}
