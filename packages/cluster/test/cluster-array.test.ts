// An array of the cluster's device, at a home that cannot change arrays in place.

import type { Device, DeviceBuffer } from '@manybody/core'
import { expect, it } from 'vitest'
import { ClusterArray, InOrder } from '../src/coordinator/cluster-array.ts'

/** A home with room for so many arrays. */
function homeWith(arrays: number) {
  const disposed: number[] = []
  const buffer = async (length: number): Promise<DeviceBuffer> => {
    if (arrays-- === 0) throw new RangeError('no memory')
    let numbers = new Float32Array(length)
    return {
      length,
      async write(data) {
        numbers = Float32Array.from(data)
      },
      async read(into = new Float32Array(length)) {
        into.set(numbers)
        return into
      },
      dispose() {
        disposed.push(length)
      },
    }
  }
  return { home: { info: { precision: 'f32' }, buffer } as unknown as Device, disposed }
}

it('does not grow beyond its room', async () => {
  const array = new ClusterArray(4, homeWith(0).home, new InOrder())
  await array.resize(3)
  await expect(array.resize(5)).rejects.toThrow(
    new RangeError('"length" expected at most 4, the numbers of this array at first, got 5'),
  )
  expect(array.length).toBe(3)
})

it('keeps its buffer at home if there is no memory for one of another length', async () => {
  const { home, disposed } = homeWith(1)
  const array = new ClusterArray(4, home, new InOrder())
  await array.write(Float32Array.of(1, 2, 3, 4))
  await array.atHome()
  await array.resize(3)
  await expect(array.atHome()).rejects.toThrow('no memory')
  expect(disposed).toEqual([])
  expect(await array.read()).toEqual(Float32Array.of(1, 2, 3))
})
