/**
 * The arrays for the results of a run, on the device and on the host.
 *
 * @module
 */
import type { RunOptions } from '@manybody/core'
import { writeBytes } from '../../quirks/empty-write.ts'
import type { DesignedResult } from '../drivers/driver.ts'
import type { GpuHost } from '../host/host.ts'
import type { Lease } from '../host/memory.ts'
import type { BuffersByKey } from './bound.ts'
import { bytesOf } from './inputs.ts'
import type { ResultData, ResultNumbers } from './submission.ts'

/**
 * Adds the buffers that hold results on the device.
 *
 * @param initial the results that a run continues from
 */
export async function addResultBuffers(
  host: GpuHost,
  buffers: BuffersByKey,
  results: readonly DesignedResult[],
  initial: RunOptions['initial'],
  lease: Lease,
): Promise<void> {
  for (const { name, held } of results) {
    const buffer = await lease.array(4 * held)
    buffers.set(`result.${name}`, buffer)
    const numbers = initial?.[name]
    if (numbers) writeBytes(host.device.queue, buffer, bytesOf(numbers))
  }
}

/** Makes the arrays of the results on the first call, while the device computes. */
export function resultArrays(results: readonly DesignedResult[], into: RunOptions['into'] = {}): () => ResultData {
  let data: ResultData | undefined
  return () => {
    data ??= new Map(
      results.map((r): [string, ResultNumbers] => [
        r.name,
        Object.hasOwn(into, r.name) ? (into[r.name] as ResultNumbers) : touched(resultData(r)),
      ]),
    )
    return data
  }
}

const resultData = ({ type, length }: DesignedResult): ResultNumbers =>
  type === 'f32' ? new Float32Array(length) : type === 'u32' ? new Uint32Array(length) : new Int32Array(length)

/** Numbers in a page of memory. The system clears a page when it is first touched. */
const pageLength = 1024

/** The array, with its memory cleared. */
function touched(array: ResultNumbers): ResultNumbers {
  for (let n = 0; n < array.length; n += pageLength) array[n] = 0
  return array
}
