// Laws and maps with more arrays than a device binds to a program: on WebGPU with the limits that every device has, by each loop, and on
// both versions of WebGL.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import {
  type Backend,
  createEngine,
  type DeviceBuffer,
  externalForce,
  map,
  pairPotential,
  pairTerm,
  sum,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

const attributes = Object.assign(
  (name: string, body: () => void | Promise<void>) => {
    if (name.startsWith('attributes:')) test(name, body)
  },
  { skip: () => {} },
)
const contexts = { 1: await angleContexts(1), 2: await angleContexts(2) }
const runner = { describe, test: attributes, afterAll }

describe('WebGPU with default limits', () =>
  describeConformance(runner, webgpu({ defaultLimits: true }), { required: true }))
for (const version of [2, 1] as const) {
  const backend = webgl({ context: contexts[version] })
  describe(`WebGL${version}`, () => describeConformance(runner, backend, { required: true }))
}

const count = 70
const symbols = Array.from({ length: 40 }, (_, n) => `a${n + 1}`)
const given = Object.fromEntries(
  symbols.map((name, n) => [name, Float32Array.from({ length: count }, (_, p) => 1 + ((p + n) % 5))]),
)
const position = Float32Array.from({ length: 3 * count }, (_, n) => (n * 37) % 101)
const particles = { position, ...given }
const total = symbols.join(' + ')
const attraction = pairPotential(`(${symbols.map((name) => `${name}_i*${name}_j`).join(' + ')})*r^2`, { inertia: 'a1' })

const backends: readonly (readonly [string, () => Backend])[] = [
  ['WebGPU with default limits', () => webgpu({ defaultLimits: true })],
  ...([2, 1] as const).map((version) => [`WebGL${version}`, () => webgl({ context: contexts[version] })] as const),
]

describe.each(backends)('%s', (_, backend) => {
  const opened = async (one: Backend) => createEngine({ backends: [one], backend: one.name, threads: 1 })

  test('a simulation with forces of 40 attributes takes the same path as on the CPU', async () => {
    const paths = await Promise.all(
      [backend(), cpuWasm()].map(async (one) => {
        const engine = await opened(one)
        const simulation = await engine.simulate({
          forces: [attraction(), externalForce([total, '0', '-a7'], { inertia: 'a1' })()],
          particles,
          dt: 1e-4,
        })
        await simulation.step(3)
        await simulation.step(2)
        const path = await simulation.read('position')
        engine.dispose()
        return path
      }),
    )
    const [graphics = [], cpu = []] = paths
    for (let n = 0; n < 3 * count; n++) expect(Math.abs(Number(graphics[n]) - Number(cpu[n]))).toBeLessThan(1e-3)
    expect(cpu[0]).not.toBe(position[0])
  })

  test('a sequence reads what its stages have written into attributes', async () => {
    const device = await backend().open()
    const law = sum(pairTerm(symbols.map((name, n) => `${n}*${name}_j`).join(' + '))())
    const grown = map(Object.fromEntries(symbols.slice(0, 20).map((name, n) => [name, `${name} + ${n}`])))
    const { bindings, shape } = bind(law, particles)
    const [first, second] = [await device.prepare(grown, shape), await device.prepare(law, shape)]
    const buffers: Record<string, DeviceBuffer> = {}
    for (const [name, array] of Object.entries(particles)) {
      buffers[name] = await device.buffer(array.length)
      await buffers[name].write(array)
    }
    const value = await device.buffer(count)
    const set = { count, arrays: buffers }
    const on = { ...bindings, targets: set, sources: set }
    const outputs = Object.fromEntries(symbols.slice(0, 20).map((name) => [name, buffers[name] as DeviceBuffer]))
    const sequence = await device.sequence([
      { program: first, bindings: on, outputs },
      { program: second, bindings: on, outputs: { value } },
    ])
    await sequence.run(3)
    const numbers = symbols.map((name, n) =>
      Array.from(given[name] as Float32Array, (x) => n * (n < 20 ? x + 3 * n : x)),
    )
    const own = Array.from({ length: count }, (_, p) => numbers.reduce((all, of) => all + Number(of[p]), 0))
    const all = own.reduce((a, b) => a + b)
    expect([...(await value.read())]).toEqual(own.map((one) => all - one))
    sequence.dispose()
    device.dispose()
  })
})
