// A device that a page shares with us, and the buffers of a simulation for drawing, on the software GPU.

import { webgpu } from '@manybody/backend-webgpu'
import { accelerations, createEngine, gravity, reference, semiImplicitEuler } from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { findGpu } from '../../../packages/backend-webgpu/src/run/host/gpu.ts'
import { numbers } from '../../support/numbers.ts'

const found = await findGpu(['disable-dawn-features=timestamp_quantization'])
if (!found.ok) throw new Error(found.reason)
const adapter = await found.gpu.requestAdapter()
if (!adapter) throw new Error('no adapter')
const device = await adapter.requestDevice()
const complaints: string[] = []
device.addEventListener('uncapturederror', ({ error }) => complaints.push(error.message))
afterAll(() => device.destroy())

const [copySource, mapRead, copyTarget, vertex] = [0x4, 0x1, 0x8, 0x20]
const count = 100
const particles = { position: numbers(3 * count, 1), mass: numbers(count, 2) }
const law = gravity({ softening: 0.1 })

/** Reads a buffer through commands of the page. */
async function contents(buffer: GPUBuffer, length: number, from = device): Promise<Float32Array> {
  const staging = from.createBuffer({ size: 4 * length, usage: mapRead | copyTarget })
  const encoder = from.createCommandEncoder()
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, 4 * length)
  from.queue.submit([encoder.finish()])
  await staging.mapAsync(mapRead)
  const copy = new Float32Array(staging.getMappedRange().slice(0))
  staging.destroy()
  return copy
}

describe('a device of the page', () => {
  test('computes a simulation whose buffers the page reads by itself', async () => {
    const engine = await createEngine({ backends: [webgpu({ device })] })
    expect(engine.device.info).toMatchObject({ backend: 'webgpu', kind: 'software' })
    const simulation = await engine.simulate({ law, particles, dt: 0.01 })
    await simulation.step(3)
    const position = await simulation.gpuBuffer('position')
    expect(position).toMatchObject({ count, stride: 12, device })
    const { buffer } = position as { buffer: GPUBuffer }
    expect(buffer.usage & (copySource | vertex)).toBe(copySource | vertex)
    expect(await contents(buffer, 3 * count)).toEqual(await simulation.read('position'))
    expect(await simulation.gpuBuffer('mass')).toMatchObject({ count, stride: 4 })

    await simulation.step(2)
    await simulation.write('velocity', new Float32Array(3 * count))
    expect((await simulation.gpuBuffer('position')).buffer, 'the same buffer').toBe(buffer)
    expect(await contents(buffer, 3 * count)).toEqual(await simulation.read('position'))
    engine.dispose()
  })

  test('a buffer of the acceleration has the forces of now, also after a change', async () => {
    await using engine = await createEngine({ backends: [webgpu({ device })] })
    await using simulation = await engine.simulate({ law, particles, dt: 0.01, integrator: semiImplicitEuler })
    for (const G of [2, 3]) {
      await simulation.write('G', G)
      await simulation.step(1)
      const { buffer } = (await simulation.gpuBuffer('acceleration')) as { buffer: GPUBuffer }
      const shown = await contents(buffer, 3 * count)
      expect(shown).toEqual(await simulation.read('acceleration'))
      await simulation.write('G', G + 2)
      await simulation.step(1)
      const later = await contents(buffer, 3 * count)
      expect(later).toEqual(await simulation.read('acceleration'))
      expect(later).not.toEqual(shown)
    }
  })

  test('is not destroyed with the engine, whose buffers are', async () => {
    const engine = await createEngine({ backends: [webgpu({ device })] })
    const simulation = await engine.simulate({ law, particles, dt: 0.01 })
    const { buffer } = (await simulation.gpuBuffer('position')) as { buffer: GPUBuffer }
    engine.dispose()
    await expect(simulation.step()).rejects.toThrow()
    expect(complaints).toEqual([])

    const theirs = device.createBuffer({ size: 12, usage: copySource | copyTarget })
    device.queue.writeBuffer(theirs, 0, Float32Array.of(1, 2, 3))
    expect([...(await contents(theirs, 3))]).toEqual([1, 2, 3])
    device.pushErrorScope('validation')
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(buffer, 0, theirs, 0, 12)
    device.queue.submit([encoder.finish()])
    expect((await device.popErrorScope())?.message).toMatch(/destroyed/)
  })

  test('is named when it was lost, and is not opened again', async () => {
    const own = await (await found.gpu.requestAdapter())?.requestDevice()
    if (!own) throw new Error('no device')
    const engine = await createEngine({ backends: [webgpu({ device: own }), reference()] })
    const simulation = await engine.simulate({ law, particles, dt: 0.01 })
    const moved: unknown[] = []
    await simulation.gpuBuffer('position', (buffer) => moved.push(buffer))
    own.destroy()
    await own.lost
    await simulation.step()
    expect(engine.device.info.backend).toBe('reference')
    expect(moved).toEqual([undefined])
    await expect(simulation.gpuBuffer('position')).rejects.toThrow(
      "Cannot give a GPUBuffer: the simulation runs on reference; create the engine with { backend: 'webgpu' }",
    )
    engine.dispose()
    const probe = await webgpu({ device: own }).probe()
    expect(probe).toMatchObject({ available: false, reason: /^the given device was lost \(.*\); give another$/ })
  })

  test('is checked', () => {
    const wrong = (options: object) => () => webgpu(options)
    expect(wrong({ device: {} })).toThrow(
      '"device" expected a GPUDevice, as adapter.requestDevice() gives it, got Object',
    )
    expect(wrong({ device: adapter })).toThrow('"device" expected a GPUDevice')
    expect(wrong({ device, powerPreference: 'low-power' })).toThrow(
      '"powerPreference" applies to opening a device, but "device" is already open; leave one of them out',
    )
  })

  test('with too small limits is refused', async () => {
    const small = new Proxy(device, {
      get: (target, name) =>
        name === 'limits' ? { maxComputeInvocationsPerWorkgroup: 128 } : Reflect.get(target, name, target),
    })
    await expect(webgpu({ device: small }).open()).rejects.toThrow(
      'the device has maxComputeInvocationsPerWorkgroup 128, and 256 are needed',
    )
  })
})

test('whoever draws from a buffer is told where it is after the loss of our device', async () => {
  const engine = await createEngine({ backends: [webgpu()] })
  const simulation = await engine.simulate({ law, particles, dt: 0.01 })
  const moved: { buffer: object; device: object }[] = []
  const first = await simulation.gpuBuffer('velocity', (buffer) => buffer && moved.push(buffer))
  ;(first.device as GPUDevice).destroy()
  await (first.device as GPUDevice).lost
  await simulation.step(2)
  expect(moved).toHaveLength(1)
  const [now] = moved
  expect(now?.buffer).not.toBe(first.buffer)
  expect(await simulation.gpuBuffer('velocity')).toEqual(now)
  const { buffer, device: next } = now as { buffer: GPUBuffer; device: GPUDevice }
  expect(await contents(buffer, 3 * count, next)).toEqual(await simulation.read('velocity'))
  engine.dispose()
})

test('a buffer has the points of now, also one that forces will give', async () => {
  const engine = await createEngine({ backends: [webgpu({ device })] })
  const simulation = await engine.simulate({ law, particles, dt: 0.01, capacity: count + 3 })
  await simulation.step(1)
  await simulation.add({ position: [9, 9, 9], velocity: [0, 0, 0], mass: [1] })
  expect(await simulation.gpuBuffer('acceleration')).toMatchObject({ count: count + 1, stride: 12 })
  engine.dispose()
})

test('only whole arrays have a buffer', async () => {
  const engine = await createEngine({ backends: [webgpu({ device })] })
  const simulation = await engine.simulate({ law, particles, dt: 0.01 })
  await expect(simulation.gpuBuffer('charge')).rejects.toThrow('"name" expected one of position, velocity,')
  await expect(simulation.gpuBuffer('velocity_x')).rejects.toThrow('"name" expected an array, got "velocity_x"')
  engine.dispose()
})

describe("a caller's buffer in place of an array", () => {
  const held = (data: Float32Array, usage = copySource | copyTarget, of = device) => {
    const buffer = of.createBuffer({ size: data.byteLength, usage })
    of.queue.writeBuffer(buffer, 0, data as Float32Array<ArrayBuffer>)
    return buffer
  }
  const shared = createEngine({ backends: [webgpu({ device })] })
  afterAll(async () => (await shared).dispose())

  test('gives the numbers that it holds when it is passed, in one set and in two', async () => {
    const engine = await shared
    const position = held(particles.position)
    const forces = accelerations(law)
    const { acceleration } = await engine.run(forces, particles)
    const mass = particles.mass.slice()
    const running = engine.run(forces, { position, mass })
    // Neither the caller's new numbers nor its changes to the array count.
    device.queue.writeBuffer(position, 0, new Float32Array(3 * count))
    mass.fill(0)
    expect((await running).acceleration).toEqual(acceleration)
    device.queue.writeBuffer(position, 0, particles.position)

    const prepared = await engine.prepare(forces, { count })
    expect((await prepared.run({ position, mass: particles.mass })).acceleration).toEqual(acceleration)
    const targets = { position: numbers(12, 5), mass: numbers(4, 6) }
    const two = await engine.run(forces, { targets, sources: particles })
    const buffers = { targets, sources: { position, mass: held(particles.mass) } }
    expect((await engine.run(forces, buffers)).acceleration).toEqual(two.acceleration)
    expect((await engine.verify(forces, buffers)).ok).toBe(true)
    const { x } = await engine.total({ x: 'position_x' }, { position })
    expect(x).toEqual((await engine.total({ x: 'position_x' }, particles)).x)
    expect(await contents(position, 3 * count), 'it is still there').toEqual(particles.position)
  })

  test('starts a simulation, and is written into one in its turn', async () => {
    const engine = await shared
    const position = held(particles.position)
    const options = { law, dt: 0.01 }
    const [simulation, expected] = [
      await engine.simulate({ ...options, particles: { position, mass: held(particles.mass) } }),
      await engine.simulate({ ...options, particles }),
    ]
    const velocity = numbers(3 * count, 8)
    await Promise.all([simulation.write('velocity', held(velocity)), simulation.step(3)])
    await Promise.all([expected.write('velocity', velocity), expected.step(3)])
    expect(await simulation.read('position')).toEqual(await expected.read('position'))
    const { buffer } = await expected.gpuBuffer('position')
    const other = await engine.simulate({ ...options, particles: { position: buffer, mass: particles.mass } })
    expect(await other.read('position')).toEqual(await expected.read('position'))
    expect(await contents(position, 3 * count), 'it is still there').toEqual(particles.position)
  })

  test.each([
    ['too short', () => held(particles.position.subarray(0, 297)), '"mass" expected length 99, one number per point'],
    ['not of whole numbers of 4 bytes', () => device.createBuffer({ size: 6, usage: copySource }), 'got 6 bytes'],
    ['empty', () => device.createBuffer({ size: 0, usage: copySource }), 'got 0 bytes'],
    [
      'not to be copied',
      () => held(particles.position, copyTarget | vertex),
      '"position" expected a GPUBuffer that can be copied, got usage 0x28; create it with GPUBufferUsage.COPY_SRC',
    ],
    [
      'of numbers that are not finite',
      () => held(new Float32Array(3 * count).fill(Number.NaN)),
      'finite numbers, got NaN',
    ],
  ])('%s is refused', async (_, position, message) => {
    const engine = await shared
    const given = { position: position(), mass: particles.mass }
    await expect(engine.run(accelerations(law), given)).rejects.toThrow(message)
    await expect(engine.simulate({ law, particles: given, dt: 0.01 })).rejects.toThrow(message)
    expect(complaints).toEqual([])
  })

  test('of another device, destroyed or mapped is refused', async () => {
    const engine = await shared
    const other = await (await found.gpu.requestAdapter())?.requestDevice()
    if (!other) throw new Error('no device')
    const destroyed = held(particles.position)
    destroyed.destroy()
    const mapped = device.createBuffer({ size: 1200, usage: copySource, mappedAtCreation: true })
    const wrong = [held(particles.position, undefined, other), destroyed, mapped]
    for (const position of wrong)
      await expect(engine.run(accelerations(law), { position, mass: particles.mass })).rejects.toThrow(
        /"position" expected a GPUBuffer of the engine's device, neither mapped nor destroyed; share the device with webgpu\(\{ device \}\)\. Cannot copy "position": ./,
      )
    other.destroy()
    expect(complaints).toEqual([])
  })

  test('is refused by other backends, which say what to do', async () => {
    const engine = await createEngine({ backends: [reference()] })
    const given = { position: held(particles.position), mass: particles.mass }
    const message =
      '"position" is a GPUBuffer, which reference cannot read; use webgpu({ device }) with the buffer\'s device, or pass an array'
    await expect(engine.run(accelerations(law), given)).rejects.toThrow(message)
    await expect(engine.simulate({ law, particles: given, dt: 0.01 })).rejects.toThrow(message)
    const simulation = await engine.simulate({ law, particles, dt: 0.01 })
    await expect(simulation.write('mass', held(particles.mass))).rejects.toThrow('"mass" is a GPUBuffer')
    engine.dispose()
  })
})
