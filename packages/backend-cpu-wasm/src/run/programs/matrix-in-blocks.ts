/**
 * Runs a matrix in blocks of rows. Each block is copied to the result while it is in the cache, and the memory of the device
 * never holds the whole matrix.
 *
 * @module
 */
import type { ArrayResults, Bindings, FloatArray, RunOptions, Shape } from '@manybody/core'
import type { Host } from '../host/host.ts'
import type { Placement } from '../placement/placement.ts'
import { runOnce } from './run-once.ts'

/** Numbers in a block: a few megabytes. */
const blockNumbers = 2 ** 20

export async function matrixInBlocks(
  host: Host,
  placement: Placement,
  shape: Shape,
  bindings: Bindings,
  options: RunOptions,
): Promise<ArrayResults> {
  const { targets: [from, to] = [0, shape.targets], initial, into, onProgress } = options
  const columns = shape.sources
  const rows = to - from
  const length = rows * columns
  const ArrayType = host.info.precision === 'f64' ? Float64Array : Float32Array
  const value = (into?.value as FloatArray | undefined) ?? new ArrayType(length)
  const times = { upload: 0, compute: 0, readback: 0 }
  const most = Math.max(1, Math.floor(blockNumbers / Math.max(1, columns)))
  for (let row = 0; row < rows; row += most) {
    const end = Math.min(row + most, rows)
    const [first, last] = [row * columns, end * columns]
    const earlier = initial?.value && { initial: { value: initial.value.subarray(first, last) } }
    const blockOptions = {
      ...options,
      ...earlier,
      into: { value: value.subarray(first, last) },
      targets: [from + row, from + end] as const,
      onProgress: onProgress && ((fraction: number) => onProgress((row + fraction * (end - row)) / rows)),
    }
    await runOnce(host, placement, bindings, blockOptions)
    const part = placement.times
    times.upload += part.upload
    times.compute += part.compute
    times.readback += part.readback
  }
  Object.assign(placement.times, times)
  return { value }
}
