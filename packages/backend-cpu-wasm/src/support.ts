/**
 * The workloads that this device can run: all that fit its memory.
 *
 * @module
 */
import type { DeviceInfo, PairWorkload, Shape, Support, Workload } from '@manybody/core'
import { resultArrays } from '@manybody/core/backend'
import { addressSpace } from './run/host/memory.ts'

/** Bytes of the address space that are available for arrays. */
const room = addressSpace - 2 ** 26

export function supportOf(workload: Workload, shape: Shape, { precision }: DeviceInfo): Support {
  const bytes = precision === 'f64' ? 8 : 4
  let numbers: number
  try {
    numbers = workload.loop === 'pair' ? pairNumbers(workload, shape) : elementNumbers(workload, shape)
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
  if (numbers * bytes > room)
    return {
      ok: false,
      reason: `it needs about ${Math.ceil((numbers * bytes) / 2 ** 20)} MiB, but WebAssembly can address ${Math.floor(room / 2 ** 20)} MiB; divide the points, or use another backend`,
    }
  return { ok: true }
}

/** Estimates the numbers in memory: bound arrays, prepared points and results. @throws TypeError if the law does not fit */
function pairNumbers(workload: PairWorkload, shape: Shape): number {
  const { dimension, targets, sources } = shape
  const attributes = 8 + Object.values(shape.lengths ?? {}).reduce((total, length) => total + length, 0)
  const results = [...resultArrays(workload, shape, 'f32').values()].reduce((sum, { length }) => sum + length, 0)
  // A matrix runs in blocks of rows.
  const given = workload.reduction === 'none' ? Math.max(sources, resultBytes / 4) : results
  return 2 * (targets + sources) * (dimension + attributes) + given
}

/** The most bytes of one result. */
export const resultBytes: number = 2 ** 28
/** The most bytes of lists. Loops by blocks need two copies of them. */
export const listBytes: number = 2 ** 30

function elementNumbers(workload: Exclude<Workload, PairWorkload>, { dimension, targets }: Shape): number {
  const outputs = 'outputs' in workload ? Object.values(workload.outputs).flat().length : 1
  return targets * dimension * (outputs + 4)
}
