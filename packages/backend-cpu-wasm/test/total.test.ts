// The sum of an array on the device, against a plain loop in float64.

import type { FloatArray, Precision } from '@manybody/core'
import { expect, test } from 'vitest'
import { cpuWasm } from '../src/index.ts'

const lengths = [0, 1, 15, 16, 17, 31, 32, 1003]
const both = ['f32', 'f64'] as const
const arrayOf = (precision: Precision, length: number): FloatArray => {
  const numbers = Array.from({ length }, (_, n) => Math.sin(n) * 2 ** (n % 7))
  return precision === 'f64' ? Float64Array.from(numbers) : Float32Array.from(numbers)
}

const sumOf = (numbers: FloatArray) => [...numbers].reduce((a, b) => a + b, 0)

/** The total of these numbers on a device that has other arrays beside them. */
async function totalOn(precision: Precision, numbers: FloatArray): Promise<number | undefined> {
  const device = await cpuWasm().open({ precision, threads: 1 })
  try {
    const arrays = [numbers.map(() => 1e9), numbers, numbers.map(() => 1e9)]
    const buffers = await Promise.all(arrays.map((array) => device.buffer(array.length)))
    await Promise.all(buffers.map((buffer, n) => buffer.write(arrays[n] as FloatArray)))
    return await buffers[1]?.total?.()
  } finally {
    device.dispose()
  }
}

test.each(both.flatMap((precision) => lengths.map((length) => [precision, length] as const)))(
  'of %s, %i numbers, is a sum in float64',
  async (precision, length) => {
    const numbers = arrayOf(precision, length)
    const [sum, scale] = [sumOf(numbers), sumOf(numbers.map(Math.abs))]
    const total = (await totalOn(precision, numbers)) as number
    expect(Math.abs(total - sum)).toBeLessThanOrEqual(1e-15 * scale)
  },
)

test('counts beyond what float32 holds, and sees every number that is not finite', async () => {
  const most = new Float32Array(1003).fill(3e38)
  expect(await totalOn('f32', most)).toBeCloseTo(1003 * Math.fround(3e38), -30)
  for (const precision of both)
    for (const place of [0, 500, 1002]) {
      const numbers = arrayOf(precision, 1003)
      numbers[place] = Number.NaN
      expect(await totalOn(precision, numbers)).toBeNaN()
    }
})
