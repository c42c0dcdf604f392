// The sort of a device, on the software GPU: any keys, with equal ones in their original order, and keys along Hilbert's curve.

import type { Dimension } from '@manybody/core'
import { expect, test } from 'vitest'
import { boundsShader, keysShader } from '../../../packages/backend-webgpu/src/compile/ranges/order.ts'
import { sortShaders } from '../../../packages/backend-webgpu/src/compile/ranges/radix-sort.ts'
import { boundsBoxes, boundsWords, pointGroups } from '../../../packages/backend-webgpu/src/design/order-layout.ts'
import type { Dispatch } from '../../../packages/backend-webgpu/src/design/shader.ts'
import {
  allDigits,
  countWords,
  type Digit,
  digitsFor,
  keysWords,
  orderWords,
} from '../../../packages/backend-webgpu/src/design/sort-layout.ts'
import { lengthValues } from '../../../packages/backend-webgpu/src/design/space.ts'
import { sortDispatches } from '../../../packages/backend-webgpu/src/run/drivers/sort.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { wordsAfter } from '../../support/gpu/dispatched.ts'
import { numbers } from '../../support/numbers.ts'

const host = await openHost(await findAdapter({}))

/** Lower and higher words of keys. */
type Maker = (n: number) => readonly [low: number, high: number]
/** A word of a key has 30 bits. */
const wordMost = 2 ** 30 - 1
const mixed = (n: number) => Math.imul(n + 1, 2654435761) >>> 2

const makers: Readonly<Record<string, Maker>> = {
  'random keys': (n) => [mixed(n), mixed(n + 77)],
  'keys that differ in the lower word': (n) => [mixed(n), 5],
  'few keys': (n) => [((n * 7919) % 13) * 0x01010101, n % 3],
  'one key': () => [wordMost, wordMost],
  'keys the other way round': (n) => [wordMost - n, 0],
}

/** The order of the keys after the device's sort. */
async function orderOf(
  keys: ReturnType<Maker>[],
  first: number,
  { digits = allDigits, rows }: { readonly digits?: readonly Digit[]; readonly rows?: number } = {},
): Promise<Uint32Array> {
  const count = keys.length
  const all = new Uint32Array(keysWords(count))
  for (const [n, [low, high]] of keys.entries()) {
    all[n] = low
    all[count + n] = high
  }
  const sizes = { keys: all, order: first + orderWords(count), counts: countWords(count) }
  return (
    await wordsAfter(
      host,
      sortDispatches(sortShaders, { count, orderFirst: first }, digits, rows),
      sizes,
      'order',
      first + count,
    )
  ).subarray(first)
}

const inOrder = (keys: readonly ReturnType<Maker>[]): number[] =>
  keys
    .map(([low, high], n) => [high, low, n] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(([, , n]) => n)

test.each(Object.entries(makers))('%s are sorted, and equal keys keep their order', async (_, make) => {
  for (const count of [1, 257, 2048, 5000]) {
    const keys = Array.from({ length: count }, (_, n) => make(n))
    expect([...(await orderOf(keys, 5))]).toEqual(inOrder(keys))
  }
})

test.each([
  ['a tile has several rows', 5000, 3],
  ['an invocation adds up the counts of several tiles', 33 * 256 + 300, 1],
])('keys are sorted if %s', async (_, count, rows) => {
  const keys = Array.from({ length: count }, (_, n): ReturnType<Maker> => [mixed(n), mixed(n + 77) % 1000])
  expect([...(await orderOf(keys, 0, { rows }))]).toEqual(inOrder(keys))
})

test.each([2, 3] as const)('the digits for wide cells of %i-D are the highest', async (dimension) => {
  const space = { dimension, periodic: true }
  const keys = Array.from({ length: 3000 }, (_, n): ReturnType<Maker> => [mixed(n), mixed(n + 77)])
  for (const bits of [1, 2, 5, 7, 8, 10, 11, 15, 19]) {
    const digits = digitsFor(space, 2 ** -bits)
    const order = await orderOf(keys, 3, { digits })
    const top = ([low, high]: ReturnType<Maker>) =>
      ((BigInt(high) << 30n) | BigInt(low)) >> BigInt(Math.max(0, 60 - dimension * bits))
    const sorted = Array.from(order, (n) => top(keys[n] as ReturnType<Maker>))
    expect(sorted).toEqual(sorted.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    expect([...order].sort((a, b) => a - b)).toEqual(keys.map((_, n) => n))
  }
  const lengths = [1 / 3, 2 ** -7, 2 ** -9, 2 ** -10, 2 ** -16, 0].map((width) => digitsFor(space, width).length)
  expect(lengths).toEqual(dimension === 2 ? [1, 2, 3, 3, 5, 8] : [1, 3, 4, 4, 7, 8])
})

async function keysOf(
  position: Float32Array<ArrayBuffer>,
  dimension: Dimension,
  lengths?: readonly number[],
): Promise<readonly bigint[]> {
  const count = position.length / dimension
  const slab = lengths?.includes(0) ?? false
  const space = { dimension, periodic: lengths !== undefined, ...(slab && { slab }) }
  const [boxX = 0, boxY = 0, boxZ = 0] = lengths ?? []
  const boxCount = boundsBoxes(count)
  const values = { count, boxCount, ...lengthValues(space, { boxX, boxY, boxZ }) }
  const dispatches: Dispatch[] = [{ shader: keysShader('points', space), values, size: pointGroups(count) }]
  if (!lengths || slab) dispatches.unshift({ shader: boundsShader('points', space), values, size: [boxCount, 1, 1] })
  const arrays = { 'points.position': position, bounds: boundsWords, keys: 2 * count }
  const words = await wordsAfter(host, dispatches, arrays, 'keys', 2 * count)
  return Array.from({ length: count }, (_, n) => (BigInt(words[count + n] ?? 0) << 30n) | BigInt(words[n] ?? 0))
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
  const slab = Array.from({ length: dimension }, (_, axis) => (axis === 0 ? side : 0))
  for (const lengths of [undefined, Array<number>(dimension).fill(side), slab]) {
    const keys = await keysOf(points, dimension, lengths)
    const order = Array.from(keys, (_, n) => n).sort((a, b) => ((keys[a] ?? 0n) < (keys[b] ?? 0n) ? -1 : 1))
    expect(new Set(keys).size).toBe(keys.length)
    const steps = order.slice(1).map((point, n) => {
      const before = order[n] as number
      return [0, 1, 2].slice(0, dimension).reduce((sum, axis) => {
        const [a, b] = [points[before * dimension + axis] as number, points[point * dimension + axis] as number]
        return sum + Math.abs(a - b)
      }, 0)
    })
    // In a box, each cell has the width of a lattice cell. Without a box, the cells end at the outermost points.
    expect(steps.filter((step) => step !== 1).length / steps.length).toBeLessThan(lengths ? 1e-9 : 0.2)
  }
})

test('points outside a box have the keys of their images inside', async () => {
  const lengths = [1, 2, 4]
  // Numbers that can be moved by a box in float32 without rounding.
  const inside = numbers(3 * 300, 1).map((x, n) => (Math.floor(1024 * x) / 1024) * (lengths[n % 3] as number))
  const outside = inside.map((x, n) => x + (lengths[n % 3] as number) * ((n % 7) - 3))
  const [here, there] = [await keysOf(inside, 3, lengths), await keysOf(outside, 3, lengths)]
  expect(here).toEqual(there)
})

test('points in one place and points far outside have keys', async () => {
  expect(new Set(await keysOf(new Float32Array(30).fill(0.3), 3))).toEqual(new Set([0n]))
  const far = numbers(3 * 100, 2).map((x) => 3e38 * (x - 0.5))
  expect((await keysOf(far, 3)).every((key) => key < 2n ** 60n)).toBe(true)
})
