// The WebGPU device around its loops: residency, slicing, aborts, limits, plans that do not fit, and refusals.

import { learnedPlans, webgpu } from '@manybody/backend-webgpu'
import {
  accelerations,
  type Bindings,
  gravity,
  map,
  nearest,
  type Shape,
  UnsupportedWorkloadError,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { numbers } from '../../support/numbers.ts'

const backend = webgpu()
const device = await backend.open()

const workload = accelerations(gravity({ softening: 0.1 }))
const bound = (count: number) => bind(workload, { position: numbers(3 * count, 9), mass: numbers(count, 10) })

test('the software GPU is reported as such', async () => {
  const probe = await backend.probe()
  expect(probe).toMatchObject({ available: true, kind: 'software' })
  expect(device.info).toMatchObject({ backend: 'webgpu', kind: 'software', precision: 'f32' })
})

test('float64 is refused with a remedy', async () => {
  expect(await backend.probe({ precision: 'f64' })).toMatchObject({ available: false, reason: /float32/ })
})

test('a program with default limits has the same results', async () => {
  const { shape, bindings } = bound(100)
  const plain = await webgpu({ defaultLimits: true }).open()
  expect(plain.info.limits.workgroupBytes).toBe(16384)
  const [a, b] = await Promise.all(
    [device, plain].map(async (d) => (await (await d.prepare(workload, shape)).run(bindings)).acceleration),
  )
  expect(a).toEqual(b)
  plain.dispose()
})

test('work is sliced, reports its progress, and stops when aborted', async () => {
  const { shape, bindings } = bound(2048)
  const program = await device.prepare(workload, shape)
  const fractions: number[] = []
  await program.run(bindings, { onProgress: (fraction) => fractions.push(fraction) })
  expect(fractions.length).toBeGreaterThan(1)
  expect(fractions.at(-1)).toBe(1)
  expect(program.report.interactions).toBe(2048 * 2048)

  const controller = new AbortController()
  // A new program has not yet learned how much it may submit at once.
  const cautious = await device.prepare(workload, shape)
  const aborted = cautious.run(bindings, { signal: controller.signal, onProgress: () => controller.abort('enough') })
  await expect(aborted).rejects.toBe('enough')
})

test('fifty runs at once have the same bits as one', async () => {
  const { shape, bindings } = bound(600)
  const program = await device.prepare(workload, shape)
  const { acceleration } = await program.run(bindings)
  const runs = await Promise.all(Array.from({ length: 50 }, () => program.run(bindings)))
  for (const run of runs) expect(run.acceleration).toEqual(acceleration)
})

test('a sequence on the device has the same results as single runs', async () => {
  const { shape, bindings } = bound(64)
  const moving: Shape = { ...shape, vectors: ['position', 'velocity', 'acceleration'] }
  const [force, kick] = await Promise.all([
    device.prepare(workload, moving),
    device.prepare(
      map({ velocity: 'velocity + dt*acceleration', position: 'position + dt*velocity' }, { dt: 0.01 }),
      moving,
    ),
  ])
  const host: Record<string, Float32Array> = {
    position: Float32Array.from(bindings.targets.arrays.position as Float32Array),
    mass: Float32Array.from(bindings.targets.arrays.mass as Float32Array),
    velocity: new Float32Array(192),
    acceleration: new Float32Array(192),
  }
  const names = Object.keys(host)
  const buffers = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => {
        const array = host[name] ?? new Float32Array()
        const buffer = await device.buffer(array.length)
        await buffer.write(array)
        return [name, buffer] as const
      }),
    ),
  )
  const on = (arrays: Bindings['targets']['arrays'], parameters: Bindings['parameters']): Bindings => {
    const set = { count: 64, arrays }
    return { targets: set, sources: set, parameters }
  }
  const { acceleration, velocity, position } = buffers
  if (!acceleration || !velocity || !position) throw new Error('no buffers')
  const steps = await device.sequence([
    { program: force, bindings: on(buffers, bindings.parameters), outputs: { acceleration } },
    { program: kick, bindings: on(buffers, { dt: 0.01 }), outputs: { velocity, position } },
  ])
  await steps.run(5)
  for (let n = 0; n < 5; n++) {
    Object.assign(host, await force.run(on(host, bindings.parameters)))
    Object.assign(host, await kick.run(on(host, { dt: 0.01 })))
  }
  expect(await position.read()).toEqual(host.position)
  expect(await velocity.read()).toEqual(host.velocity)
  steps.dispose()
})

test('plans are checked, and clipped to the device', async () => {
  const { shape } = bound(100)
  await expect(device.prepare(workload, shape, { variant: 'fastest' })).rejects.toThrow(
    /^"variant" expected naive, .*each-pair-once, blocks, cells, got "fastest"$/,
  )
  await expect(device.prepare(workload, shape, { variant: 'tiled', sizes: { workgroup: 0 } })).rejects.toThrow(
    RangeError,
  )
  const clipped = await device.prepare(workload, shape, { variant: 'tiled', sizes: { workgroup: 1024 } })
  expect(clipped.report.variant).toBe('tiled (workgroup 256 of 1024, the limit of the device, block sums)')
})

test('workloads that do not fit are refused before anything is allocated', async () => {
  const { shape } = bound(10)
  const huge = { ...shape, targets: 2 ** 30, sources: 2 ** 30 }
  expect(device.supports(workload, huge)).toMatchObject({ ok: false, reason: /device limit/ })
  await expect(device.prepare(workload, huge)).rejects.toThrow(UnsupportedWorkloadError)
  expect(device.supports(nearest(1000), shape)).toMatchObject({ ok: false })
  await expect(device.buffer(2 ** 30)).rejects.toThrow('Cannot allocate')
})

test('a buffer is read again after an array that was transferred away while it was read', async () => {
  const buffer = await device.buffer(3)
  await buffer.write(Float32Array.of(1, 2, 3))
  const into = new Float32Array(3)
  const reading = buffer.read(into)
  structuredClone(into, { transfer: [into.buffer] })
  await expect(reading).rejects.toThrow(TypeError)
  expect(await buffer.read(new Float32Array(3))).toEqual(Float32Array.of(1, 2, 3))
  buffer.dispose()
})

test('a disposed device rejects calls with a remedy', async () => {
  const other = await backend.open()
  const { shape, bindings } = bound(10)
  const program = await other.prepare(workload, shape)
  other.dispose()
  await expect(program.run(bindings)).rejects.toThrow('disposed')
})

test('a tuned device times plans once, and exports what it learned', async () => {
  const { shape, bindings } = bound(40)
  const tuned = await backend.open({ tune: 'quick' })
  const program = await tuned.prepare(workload, shape)
  const learned = learnedPlans(tuned)
  expect(Object.keys(learned)).toHaveLength(1)
  await tuned.prepare(accelerations(gravity({ softening: 0.2 })), shape)
  expect(learnedPlans(tuned)).toEqual(learned)

  const [plan] = Object.values(JSON.parse(JSON.stringify(learned)) as typeof learned)
  const other = { ...plan, variant: 'tiled-unrolled', sizes: { workgroup: 8, unroll: 2 } }
  const taught = webgpu({ learned: Object.fromEntries(Object.keys(learned).map((key) => [key, other])) })
  const again = await (await taught.open({ tune: 'quick' })).prepare(workload, shape)
  expect(again.report.variant).toBe('tiled-unrolled (workgroup 8, unroll 2, block sums)')
  expect((await program.run(bindings)).acceleration).toHaveLength(120)
  expect(learnedPlans(device)).toEqual({})
})

test('an array given for one result does not serve a result that is named like a method of objects', async () => {
  const points = { x: Float32Array.of(1, 2) }
  const twice = map({ twice: '2*x', constructor: 'x + 1' })
  const { shape, bindings } = bind(twice, points)
  const program = await device.prepare(twice, shape)
  const given = new Float32Array(2)
  const results = await program.run(bindings, { into: { twice: given } })
  expect(results).toEqual({ twice: Float32Array.of(2, 4), constructor: Float32Array.of(2, 3) })
  expect(results.twice).toBe(given)
  program.dispose()
})
