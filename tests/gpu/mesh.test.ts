// Sums over all images on graphics cards: the device sums the short parts, the host the rest, and both together meet the tolerance.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import {
  biotSavart,
  coulomb,
  createEngine,
  forces,
  mesh,
  type PairWorkload,
  periodic,
  potentials,
  type SumOptions,
  sum,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

const count = 300
const noise = (n: number) => (Math.abs(Math.sin(12.9898 * (n + 1))) * 43758.5453) % 1
const position = Float64Array.from({ length: 3 * count }, (_, n) => noise(n))
const strength = (from: number) => Float64Array.from({ length: count }, (_, n) => noise(n + from) - 0.5)
const charge = Float64Array.from({ length: count }, (_, n) => (n % 2 ? -1 : 1))
const sums: Readonly<Record<string, readonly [make: (options: SumOptions) => PairWorkload, points: object]>> = {
  forces: [(options) => forces(coulomb(), options), { position, charge }],
  potentials: [(options) => potentials(coulomb(), options), { position, charge }],
  vortices: [
    (options) => sum(biotSavart({ softening: 0.05 }), options),
    { position, wx: strength(1), wy: strength(2), wz: strength(3) },
  ],
}
const boundary = periodic([1, 1, 1])
const judge = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
afterAll(() => judge.dispose())

describe.each([
  ['webgpu', async () => webgpu()],
  ['webgl', async () => webgl({ context: await angleContexts(2) })],
] as const)('%s', (_, backend) => {
  test.each(Object.entries(sums))('%s', async (_, [make, points]) => {
    await using engine = await createEngine({ backends: [await backend()] })
    const run = async (on: typeof judge | typeof engine, tolerance: number) => {
      const { report, ...results } = await on.run(make({ boundary, method: mesh({ tolerance }) }), points as never)
      return { report, values: Object.values(results)[0] as unknown as Float64Array }
    }
    const [found, truth] = [await run(engine, 1e-4), await run(judge, 1e-9)]
    expect(found.report.error).toMatchObject({ ok: true, tolerance: 1e-4 })
    expect(found.report.variant).toMatch(/^mesh \(.* on the host\)/)
    const size = Math.sqrt(truth.values.reduce((all, x) => all + x * x, 0))
    const apart = Math.sqrt(truth.values.reduce((all, x, n) => all + (x - (found.values[n] as number)) ** 2, 0))
    expect(apart / size).toBeLessThan(5e-3)
  })
})
