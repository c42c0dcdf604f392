// Kinds that nobody has checked, as in arrays on a device: fractions are cut off, and kinds beyond the tables are the first or the last, in
// look-ups and in the sizes of points.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { type Device, pairTerm, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { randomOf } from '../../packages/conformance/src/random.ts'
import { angleContexts } from '../support/angle.ts'

const count = 3000
const random = randomOf(3)
const position = random.array(3 * count, 0, 10)
const kind = random.array(count, 0, 3).map(Math.floor)
const fraction = random.array(count, 0, 0.99)

const law = pairTerm('weight[kind_i] + other[kind_j] + 100*pair[kind_i, kind_j]', {
  tables: {
    size: [1, 0.3, 0.1],
    weight: [1, 2, 3],
    other: [10, 20, 30],
    pair: [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
  },
})()
const workload = sum(law, { cutoff: 'size[kind_i] + size[kind_j]' })

const devices: readonly (readonly [name: string, variant: string, open: () => Promise<Device>])[] = [
  ['cpu-wasm', 'blocks', async () => cpuWasm().open({ precision: 'f32' })],
  ['webgpu', 'blocks', async () => webgpu().open({ precision: 'f32' })],
  ['webgpu', 'tiled', async () => webgpu().open({ precision: 'f32' })],
  ['webgl', 'texture-loop', async () => webgl({ context: await angleContexts(2) }).open({ precision: 'f32' })],
]

test.each(devices)('%s takes the same kinds for look-ups and for sizes, by %s', async (_, variant, open) => {
  const device = await open()
  const { shape, bindings } = bind(workload, { position, kind })
  const program = await device.prepare(workload, shape, { variant })
  const resultsFor = async (kinds: ArrayLike<number>) => {
    const arrays = { ...bindings.targets.arrays, kind: Float32Array.from(kinds) }
    const set = { ...bindings.targets, arrays }
    const { value } = await program.run({ ...bindings, targets: set, sources: set })
    return Float64Array.from(value as ArrayLike<number>)
  }
  const whole = await resultsFor(kind)
  expect(await resultsFor(kind.map((k, n) => k + (fraction[n] as number)))).toEqual(whole)
  expect(await resultsFor(kind.map((k) => (k === 0 ? -7.5 : k === 2 ? 1e9 : k)))).toEqual(whole)
  program.dispose()
  device.dispose()
})
