// The sort of a device, on the software GPU: any keys, equal ones in the order in which they came; and keys along Hilbert's curve.

import type { Dimension } from '@manybody/core'
import { expect, test } from 'vitest'
import { findAdapter } from '../../packages/backend-webgpu/src/host/adapter.ts'
import { openHost } from '../../packages/backend-webgpu/src/host/host.ts'
import {
  boundsBoxes,
  boundsShader,
  boundsWords,
  keyGroups,
  keysShader,
} from '../../packages/backend-webgpu/src/ranges/order.ts'
import { countWords, sortDispatches, sortedWords } from '../../packages/backend-webgpu/src/ranges/radix-sort.ts'
import type { Dispatch } from '../../packages/backend-webgpu/src/wgsl/shader.ts'
import { wordsAfter } from '../support/dispatched.ts'
import { numbers } from '../support/numbers.ts'

const host = await openHost(await findAdapter({}))

const makers: Readonly<Record<string, (n: number) => number>> = {
  'random keys': (n) => Math.imul(n + 1, 2654435761) >>> 0,
  'few keys': (n) => ((n * 7919) % 13) * 0x01010101,
  'one key': () => 0xffffffff,
  'keys in order': (n) => n,
  'keys the other way round': (n) => 0xfffffff0 - n,
}

test.each(Object.keys(makers))('%s are sorted, and equal keys keep their order', async (name) => {
  for (const count of [1, 255, 257, 2048, 2049, 9000]) {
    const keys = Uint32Array.from({ length: count }, (_, n) => makers[name]?.(n) ?? 0)
    const both = new Uint32Array(sortedWords(count))
    both.set(keys)
    const first = 5
    const sizes = { keys: both, order: first + sortedWords(count), counts: countWords(count) }
    const words = await wordsAfter(host, sortDispatches(count, first), sizes, 'order', first + count)
    const expected = Array.from(keys, (key, n) => [key, n] as const).sort(([a, m], [b, n]) => a - b || m - n)
    expect([...words.subarray(first)]).toEqual(expected.map(([, n]) => n))
  }
})

test('keys are sorted if the counts of a digit take more than one round', async () => {
  const count = 256 * 2048 + 3000
  const keys = Uint32Array.from({ length: count }, (_, n) => Math.imul(n + 1, 2654435761) >>> 0)
  const both = new Uint32Array(sortedWords(count))
  both.set(keys)
  const sizes = { keys: both, order: sortedWords(count), counts: countWords(count) }
  const order = await wordsAfter(host, sortDispatches(count, 0), sizes, 'order', count)
  let wrong = 0
  for (let n = 1; n < count; n++)
    if ((keys[order[n - 1] as number] as number) > (keys[order[n] as number] as number)) wrong++
  expect(wrong).toBe(0)
  expect(new Set(order).size).toBe(count)
})

async function keysOf(
  position: Float32Array<ArrayBuffer>,
  dimension: Dimension,
  lengths?: readonly number[],
): Promise<Uint32Array> {
  const count = position.length / dimension
  const space = { dimension, periodic: lengths !== undefined }
  const box = Object.fromEntries((lengths ?? []).map((length, n) => [`length_${'xyz'[n]}`, length]))
  const boxCount = boundsBoxes(count)
  const values = { count, boxCount, ...box }
  const dispatches: Dispatch[] = [{ shader: keysShader('points', space), values, size: keyGroups(count) }]
  if (!lengths) dispatches.unshift({ shader: boundsShader('points', space), values, size: [boxCount, 1, 1] })
  const arrays = { 'points.position': position, bounds: boundsWords, keys: count }
  return wordsAfter(host, dispatches, arrays, 'keys', count)
}

/** All cells of a cube. */
const lattice = (dimension: Dimension, side: number) =>
  Float32Array.from({ length: dimension * side ** dimension }, (_, n) => {
    const axis = n % dimension
    return Math.floor(Math.floor(n / dimension) / side ** axis) % side
  })

test.each([2, 3] as const)('the curve goes from each cell to a neighbour, in %i-D', async (dimension) => {
  const side = 16
  const points = lattice(dimension, side)
  for (const lengths of [undefined, Array<number>(dimension).fill(side)]) {
    const keys = await keysOf(points, dimension, lengths)
    const order = Array.from(keys, (_, n) => n).sort((a, b) => (keys[a] as number) - (keys[b] as number))
    expect(new Set(keys).size).toBe(keys.length)
    const steps = order.slice(1).map((point, n) => {
      const before = order[n] as number
      return [0, 1, 2].slice(0, dimension).reduce((sum, axis) => {
        const [a, b] = [points[before * dimension + axis] as number, points[point * dimension + axis] as number]
        return sum + Math.abs(a - b)
      }, 0)
    })
    // In a box cells are as wide as its share; without one, the cells of the outermost points are on its faces.
    expect(steps.filter((step) => step !== 1).length / steps.length).toBeLessThan(lengths ? 1e-9 : 0.2)
  }
})

test('points outside a box have the keys of their images inside', async () => {
  const lengths = [1, 2, 4]
  const inside = numbers(3 * 300, 1).map((x, n) => x * (lengths[n % 3] as number))
  const outside = inside.map((x, n) => x + (lengths[n % 3] as number) * ((n % 7) - 3))
  const [here, there] = [await keysOf(inside, 3, lengths), await keysOf(outside, 3, lengths)]
  expect(here.filter((key, n) => key !== there[n]).length).toBeLessThan(6)
})

test('points in one place and points far outside have keys', async () => {
  expect(new Set(await keysOf(new Float32Array(30).fill(0.3), 3))).toEqual(new Set([0]))
  const far = numbers(3 * 100, 2).map((x) => 3e38 * (x - 0.5))
  expect((await keysOf(far, 3)).every((key) => key < 2 ** 30)).toBe(true)
})
