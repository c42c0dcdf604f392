/**
 * Bindings with every device buffer read into a plain array, for backends of tests that compute on the host.
 *
 * @module
 */
import type { Bindings, DeviceBuffer, FloatArray, PointSet } from '@manybody/core'

export async function arraysIn(bindings: Bindings): Promise<Bindings> {
  const targets = await readSet(bindings.targets)
  const sources = bindings.sources === bindings.targets ? targets : await readSet(bindings.sources)
  return { ...bindings, targets, sources }
}

async function readSet({ count, arrays }: PointSet): Promise<PointSet> {
  const read = Object.entries(arrays).map(
    async ([name, array]) => [name, isPlain(array) ? array : await array.read()] as const,
  )
  return { count, arrays: Object.fromEntries(await Promise.all(read)) }
}

function isPlain(array: FloatArray | DeviceBuffer): array is FloatArray {
  return ArrayBuffer.isView(array)
}
