// A device as its users see it: its reports, slices, aborts, loss, and stages that stay on the device.

import {
  accelerations,
  DeviceLostError,
  gravity,
  map,
  matrix,
  pairTerm,
  reduce,
  sum,
  UnsupportedWorkloadError,
} from '@manybody/core'
import { bind, errorBound, errorNorms, truthOf } from '@manybody/core/judge'
import { expect, onTestFinished, test, vi } from 'vitest'
import { webgl } from '../../src/index.ts'
import type { Gl } from '../../src/run/host/adapter.ts'
import { cloud, lose, remembered } from './device.ts'

const pull = accelerations(gravity({ softening: 0.1 }))

test('a software rasteriser is reported as software', async () => {
  const probe = await webgl().probe()
  expect(probe).toMatchObject({ available: true, kind: 'software' })
  const device = await webgl().open()
  expect(device.info).toMatchObject({ backend: 'webgl', kind: 'software', precision: 'f32' })
  expect(device.info.name).toMatch(/SwiftShader|llvmpipe/)
  device.dispose()
})

test('float64 is refused with a remedy', async () => {
  expect(await webgl().probe({ precision: 'f64' })).toMatchObject({
    available: false,
    reason: expect.stringMatching(/cpu-wasm/),
  })
  await expect(webgl().open({ precision: 'f64' })).rejects.toThrow(/Cannot open backend "webgl": .*float32/)
})

const contextOf = (kind: 'webgl' | 'webgl2') => new OffscreenCanvas(2, 2).getContext(kind as 'webgl') as Gl

test.for<['webgl' | 'webgl2', string, (gl: Gl) => object, RegExp]>([
  ['webgl2', 'float targets', () => ({ getExtension: () => null }), /EXT_color_buffer_float is missing/],
  ['webgl', 'float textures', () => ({ getExtension: () => null }), /OES_texture_float is missing/],
  ['webgl', 'a complete framebuffer', () => ({ checkFramebufferStatus: () => 0 }), /framebuffer is incomplete/],
  [
    'webgl',
    'float32 in fragment shaders',
    () => ({ getShaderPrecisionFormat: () => ({ precision: 10 }) }),
    /10 bits of precision, but float32 needs 23/,
  ],
  [
    'webgl',
    'the texture units that gpu.js needs',
    (gl) => ({ getParameter: (name: number) => (name === gl.VERSION ? 'WebGL 1.0' : 8) }),
    /has 8 texture units, but gpu.js needs 16/,
  ],
  ['webgl2', 'a context that lasts', () => ({ isContextLost: () => true }), /was lost at once/],
])('a device (%s) without %s is refused with that reason', async ([kind, , lacking, reason]) => {
  const context = () => {
    const gl = contextOf(kind)
    return Object.assign(gl, lacking(gl))
  }
  expect(await webgl({ context }).probe()).toMatchObject({ available: false, reason: expect.stringMatching(reason) })
  await expect(webgl({ context }).open()).rejects.toThrow(reason)
})

test('a page whose canvas gives no context is told what to do', async () => {
  const canvases = [OffscreenCanvas, HTMLCanvasElement]
  const none = canvases.map(({ prototype }) => vi.spyOn(prototype, 'getContext').mockReturnValue(null))
  onTestFinished(() => none.forEach((spy) => void spy.mockRestore()))
  expect(await webgl().probe()).toMatchObject({
    available: false,
    reason: expect.stringMatching(/gave no WebGL context; enable/),
  })
})

test('a page whose OffscreenCanvas gives no context uses a canvas element', async () => {
  const none = vi.spyOn(OffscreenCanvas.prototype, 'getContext').mockReturnValue(null)
  onTestFinished(() => void none.mockRestore())
  const device = await webgl().open()
  const { shape, bindings } = bind(pull, cloud(100))
  const program = await device.prepare(pull, shape)
  expect((await program.run(bindings)).acceleration).toHaveLength(300)
  expect(none).toHaveBeenCalled()
  device.dispose()
})

test('WebGL1 reports a lost context and steps on the device, like WebGL2', async () => {
  const given: Gl[] = []
  const context = () => {
    given.push(contextOf('webgl'))
    return given.at(-1) as Gl
  }
  const device = await webgl({ context }).open()
  expect(device.info.features).toContain('webgl1')
  const { shape, bindings } = bind(pull, cloud(100))
  const program = await device.prepare(pull, shape)
  const acceleration = await device.buffer(300)
  const sequence = await device.sequence([{ program, bindings, outputs: { acceleration } }])
  await sequence.run(2)
  expect(await acceleration.read()).toEqual((await program.run(bindings)).acceleration)
  given.at(-1)?.getExtension('WEBGL_lose_context')?.loseContext()
  await expect(program.run(bindings)).rejects.toThrow(DeviceLostError)
})

test('a report counts time where it is spent, and never more than has passed', async () => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const { shape, bindings } = bind(pull, cloud(300))
  const program = await device.prepare(pull, shape)
  await program.run(bindings)
  const gl = given.at(-1) as WebGL2RenderingContext
  const slow = (name: 'texImage2D' | 'drawArrays' | 'readPixels', applies: (...args: unknown[]) => boolean) => {
    const call = gl[name].bind(gl) as (...args: unknown[]) => unknown
    vi.spyOn(gl, name).mockImplementation(((...args: unknown[]) => {
      for (const start = performance.now(); applies(...args) && performance.now() - start < 40; );
      return call(...args)
    }) as never)
  }
  slow('texImage2D', (...args) => args.at(-1) !== null)
  slow('drawArrays', () => true)
  slow('readPixels', (_x, _y, width) => width !== 1)
  const start = performance.now()
  await program.run(bindings)
  const elapsed = performance.now() - start
  const { upload, compute, readback } = program.report.timings
  // Two uploads, of positions and masses; two draws, to pack and to fold; and one texture that is read.
  for (const part of [upload, compute, readback / 0.5]) expect(part).toBeGreaterThanOrEqual(80)
  expect(upload + compute + readback).toBeLessThanOrEqual(elapsed)
  device.dispose()
})

test('a report says what ran, and times upload, compute and readback separately', async () => {
  const device = await webgl().open()
  const { shape, bindings } = bind(pull, cloud(300))
  const program = await device.prepare(pull, shape)
  await program.run(bindings)
  const { timings, ...report } = program.report
  expect(report).toMatchObject({
    backend: 'webgl',
    variant: 'texture-loop',
    accumulation: 'block',
    interactions: 90_000,
  })
  for (const part of ['compile', 'compute', 'readback'] as const) expect(timings[part]).toBeGreaterThan(0)
  device.dispose()
})

test('many slices have the same result as one, with progress after each', async () => {
  const device = await webgl().open()
  const one = sum(pairTerm('1')())
  const particles = cloud(1000)
  const { shape, bindings } = bind(one, particles)
  const program = await device.prepare(one, shape)
  let { value } = await program.run(bindings, { sources: [0, 3] })
  for (const sources of [
    [3, 256],
    [256, 700],
    [700, 1000],
  ] as const)
    ({ value } = await program.run(bindings, { sources, initial: { value: value ?? [] } as never }))
  expect(new Set(value)).toEqual(new Set([999]))
  device.dispose()
})

test('a long run is sliced automatically, with progress after each slice, and keeps its sums on the device', async () => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const one = sum(pairTerm('1')())
  const { shape, bindings } = bind(one, cloud(6000))
  const program = await device.prepare(one, shape)
  const uploads = vi.spyOn(given.at(-1) as WebGL2RenderingContext, 'texImage2D')
  const seen: number[] = []
  const { value } = await program.run(bindings, { onProgress: (fraction) => seen.push(fraction) })
  expect(new Set(value)).toEqual(new Set([5999]))
  expect(seen.length).toBeGreaterThan(1)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen.at(-1)).toBe(1)
  expect(uploads.mock.calls.filter((call) => call.at(-1) !== null)).toHaveLength(1)
  device.dispose()
})

test.for(['webgl', 'webgl2'] as const)(
  'on %s a long run does not block the page, and seldom polls the driver',
  async (kind) => {
    const given: Gl[] = []
    const context = () => {
      given.push(contextOf(kind))
      return given.at(-1) as Gl
    }
    const device = await webgl({ context }).open()
    const { shape, bindings } = bind(pull, cloud(6000))
    const program = await device.prepare(pull, shape)
    await program.run(bindings)
    const gl = given.at(-1) as WebGL2RenderingContext
    const asked = kind === 'webgl2' ? vi.spyOn(gl, 'clientWaitSync') : undefined
    const read = vi.spyOn(gl, 'readPixels')
    let [others, slices] = [0, 0]
    const other = setInterval(() => others++)
    const start = performance.now()
    await program.run(bindings, { onProgress: () => slices++ })
    clearInterval(other)
    expect(slices).toBeGreaterThan(1)
    expect(others).toBeGreaterThanOrEqual(kind === 'webgl2' ? slices : 1)
    expect(asked?.mock.calls.length ?? 0).toBeLessThanOrEqual((performance.now() - start) / 4)
    // WebGL1 reads the result, and each slice. WebGL2 reads the result and the last slice, unless that is expected to last
    // long.
    if (kind === 'webgl') expect(read).toHaveBeenCalledTimes(slices + 1)
    else expect(read.mock.calls.length).toBeLessThanOrEqual(2)
    device.dispose()
  },
)

test('a matrix is computed in blocks of rows', async () => {
  const device = await webgl().open()
  const workload = matrix(pairTerm('r2')())
  const [targets, sources] = [cloud(1500), cloud(1001)]
  const { shape, bindings } = bind(workload, { targets, sources })
  const program = await device.prepare(workload, shape)
  const seen: number[] = []
  const { value = [] } = await program.run(bindings, { onProgress: (fraction) => seen.push(fraction) })
  expect(seen).toHaveLength(2)
  const truth = truthOf(workload, shape, bindings, { targets: [0, 1046, 1047, 1048, 1499] })
  const rows = [0, 1046, 1047, 1048, 1499].flatMap((t) => [...value.slice(1001 * t, 1001 * (t + 1))])
  const { max } = errorNorms(rows, truth.results.value ?? [], truth.scales.value ?? [])
  expect(max).toBeLessThan(3e-6)
  device.dispose()
})

test('a warm run asks the driver nothing, because each question waits for an answer', async () => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const { shape, bindings } = bind(pull, cloud(300))
  const program = await device.prepare(pull, shape)
  await program.run(bindings)
  const gl = given.at(-1) as WebGL2RenderingContext
  const questions = (['getProgramParameter', 'checkFramebufferStatus', 'getError', 'getUniformLocation'] as const).map(
    (name) => vi.spyOn(gl, name),
  )
  await program.run(bindings)
  for (const question of questions) expect(question).not.toHaveBeenCalled()
  device.dispose()
})

test.for(
  (['webgl', 'webgl2'] as const).flatMap((kind) => [1024, 4096, 16384, 65536].map((count) => [kind, count] as const)),
)('on %s, errors of %i terms stay within the bound of block sums', async ([kind, count]) => {
  const device = await webgl({ context: () => contextOf(kind) }).open()
  const [targets, sources] = [cloud(70), cloud(count)]
  const { shape, bindings } = bind(pull, { targets, sources })
  const program = await device.prepare(pull, shape)
  const { acceleration } = await program.run(bindings)
  const truth = truthOf(pull, shape, bindings)
  const { max } = errorNorms(acceleration ?? [], truth.results.acceleration ?? [], truth.scales.acceleration ?? [])
  expect(max).toBeLessThan(errorBound({ accumulation: 'block', precision: 'f32' }, count))
  device.dispose()
})

test('the naive variant agrees beyond 1000 sources, where gpu.js cuts a loop over an argument', async () => {
  const device = await webgl().open()
  const { shape, bindings } = bind(pull, cloud(1500))
  const naive = await device.prepare(pull, shape, { variant: 'naive' })
  const { acceleration } = await naive.run(bindings)
  const truth = truthOf(pull, shape, bindings)
  const { max } = errorNorms(acceleration ?? [], truth.results.acceleration ?? [], truth.scales.acceleration ?? [])
  expect(max).toBeLessThan(errorBound(naive.report, 1500))
  expect(naive.report).toMatchObject({ variant: 'naive', accumulation: 'running' })
  const unsoftened = await naive.run({ ...bindings, parameters: { ...bindings.parameters, softening: 0 } })
  expect(unsoftened.acceleration?.every(Number.isFinite)).toBe(true)
  for (const variant of ['naive', 'texture-loop'])
    await expect(device.prepare(pull, shape, { variant, sizes: { workgroup: 64 } })).rejects.toThrow(
      '"sizes" expected none, because loops on WebGL have no sizes, got workgroup',
    )
  await expect(device.prepare(reduce('min', pairTerm('r2')()), shape, { variant: 'naive' })).rejects.toThrow(
    UnsupportedWorkloadError,
  )
  device.dispose()
})

test('an abort between slices rejects the run with its reason', async () => {
  const device = await webgl().open()
  const { shape, bindings } = bind(pull, cloud(6000))
  const program = await device.prepare(pull, shape)
  const aborting = new AbortController()
  const run = program.run(bindings, { signal: aborting.signal, onProgress: () => aborting.abort(new Error('enough')) })
  await expect(run).rejects.toThrow('enough')
  device.dispose()
})

test('a lost context rejects runs and reports the loss, and never returns zeros', async () => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const { shape, bindings } = bind(pull, cloud(100))
  const program = await device.prepare(pull, shape)
  await program.run(bindings)
  lose(given.at(-1))
  await expect(program.run(bindings)).rejects.toThrow(DeviceLostError)
  await expect(device.prepare(pull, shape)).rejects.toThrow(DeviceLostError)
  await expect(device.buffer(4)).rejects.toThrow(DeviceLostError)
  expect(await device.lost).toMatchObject({
    reason: expect.stringMatching(/context was lost/),
    remedy: expect.stringMatching(/open the device again/),
  })
})

test.for([
  ['after its first slice', 0],
  ['before its results are read', 1],
] as const)('a context lost %s rejects the run', async ([, when]) => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const { shape, bindings } = bind(pull, cloud(4096))
  const program = await device.prepare(pull, shape)
  const onProgress = (fraction: number) => fraction >= when && lose(given.at(-1))
  await expect(program.run(bindings, { onProgress })).rejects.toThrow(DeviceLostError)
})

test('disposing does not count as a loss', async () => {
  const device = await webgl().open()
  device.dispose()
  const first = await Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, 50, 'nothing'))])
  expect(first).toBe('nothing')
})

test('stages step on the device, with the same results as separate runs', async () => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const count = 70
  const { position, mass } = cloud(count)
  const drift = map({ position: 'position + dt*acceleration' }, { dt: 0.01 })
  const vectors = ['position', 'acceleration']
  const pulled = bind(pull, { position, mass })
  const drifted = bind(drift, { position, acceleration: new Float32Array(3 * count) })
  const [p, a] = [await device.buffer(3 * count), await device.buffer(3 * count)]
  await p.write(position as Float32Array)
  const set = { count, arrays: { position: p, mass } }
  const moving = { count, arrays: { position: p, acceleration: a } }
  const [pullProgram, driftProgram] = [
    await device.prepare(pull, pulled.shape),
    await device.prepare(drift, { ...drifted.shape, vectors }),
  ]
  const sequence = await device.sequence([
    {
      program: pullProgram,
      bindings: { ...pulled.bindings, targets: set, sources: set },
      outputs: { acceleration: a },
    },
    {
      program: driftProgram,
      bindings: { ...drifted.bindings, targets: moving, sources: moving },
      outputs: { position: p },
    },
  ])
  const read = vi.spyOn(given.at(-1) as WebGL2RenderingContext, 'readPixels')
  await sequence.run(3)
  // One texel is read to wait for the device; nothing else comes back.
  for (const [, , width, height] of read.mock.calls) expect([width, height]).toEqual([1, 1])
  read.mockRestore()
  let expected = position as Float32Array
  for (let n = 0; n < 3; n++) {
    const { acceleration } = await pullProgram.run(bind(pull, { position: expected, mass }).bindings)
    const step = bind(drift, { position: expected, acceleration: acceleration as Float32Array })
    expected = (await driftProgram.run(step.bindings)).position as Float32Array
  }
  expect(await p.read()).toEqual(expected)
  sequence.dispose()
  device.dispose()
})

test('neither runs nor steps leave textures behind', async () => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const gl = given.at(-1) as WebGL2RenderingContext
  const live = new Set<WebGLTexture>()
  const [create, remove] = [gl.createTexture.bind(gl), gl.deleteTexture.bind(gl)]
  vi.spyOn(gl, 'createTexture').mockImplementation(() => {
    const texture = create()
    live.add(texture)
    return texture
  })
  vi.spyOn(gl, 'deleteTexture').mockImplementation((texture) => {
    if (texture) live.delete(texture)
    remove(texture)
  })
  const count = 70
  const { shape, bindings } = bind(pull, cloud(count))
  const program = await device.prepare(pull, shape)
  const acceleration = await device.buffer(3 * count)
  const two = map({ heavier: '2*mass', lighter: 'mass/2' })
  const weights = bind(two, { mass: cloud(count).mass } as never)
  const half = await device.prepare(two, weights.shape)
  const sequence = await device.sequence([
    { program, bindings, outputs: { acceleration } },
    { program: half, bindings: weights.bindings, outputs: { lighter: await device.buffer(count) } },
  ])
  const repeat = async (times: number) => {
    for (let n = 0; n < times; n++) await program.run(bindings, { initial: await program.run(bindings) })
    await sequence.run(times)
    return live.size
  }
  const before = await repeat(3)
  expect(await repeat(20)).toBe(before)
  device.dispose()
})

test('results that cannot stay on the device are refused as stages', async () => {
  const device = await webgl().open()
  const least = reduce('argmin', pairTerm('r2')())
  const { shape, bindings } = bind(least, cloud(10))
  const stage = { program: await device.prepare(least, shape), bindings, outputs: { value: await device.buffer(10) } }
  await expect(device.sequence([stage])).rejects.toThrow(/stay on the device/)
  device.dispose()
})

test('the backend works in a worker with an OffscreenCanvas', async () => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  const answer = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
  })
  expect(answer).toEqual({ backend: 'webgl', counts: [9] })
  worker.terminate()
})
