// Side effects of gpu.js that must not reach users. Each of these tests fails without its guard.

import { accelerations, gravity, ProgramCompilationError } from '@manybody/core'
import { bind, errorNorms, truthOf } from '@manybody/core/judge'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { flatSize } from '../../src/design/layout.ts'
import type { PassSource } from '../../src/design/pass.ts'
import { webgl } from '../../src/index.ts'
import { findContext, type Gl } from '../../src/run/host/adapter.ts'
import { type DriverKernel, loadDriver } from '../../src/run/host/gpu-js.ts'
import { GlHost } from '../../src/run/host/host.ts'
import type { Sheets } from '../../src/run/host/memory.ts'
import { Pass } from '../../src/run/host/pass.ts'
import { cloud, openHost, remembered } from './device.ts'

let host: GlHost
let sheets: Sheets
let gl: Gl
const platformGpu: unknown = Reflect.get(globalThis, 'GPU')

const opened = vi.spyOn(HTMLCanvasElement.prototype, 'getContext')

beforeAll(async () => {
  ;({ host, sheets, gl } = await openHost())
})
afterAll(() => host.dispose())

const constant = (value: string): PassSource => ({
  name: 'constant',
  glsl: `vec4 constant() { return vec4(${value}); }`,
  textures: [],
  size: flatSize(4),
})

const given: PassSource = {
  name: 'given',
  glsl: 'vec4 given() { return vec4(user_x); }',
  textures: [],
  numbers: ['x'],
  size: flatSize(4),
}

function firstOf(pass: Pass, values: Readonly<Record<string, number>> = {}): number {
  const sheet = pass.run({ values })
  const [first = Number.NaN] = host.read(sheet, 1)
  sheet.texture.delete()
  return first
}

test('loading gpu.js leaves the GPU interface of the platform in place', async () => {
  await loadDriver()
  expect(platformGpu).toBeDefined()
  expect(Reflect.get(globalThis, 'GPU')).toBe(platformGpu)
})

test('the canvas does not grow with the textures', () => {
  sheets.upload(new Float32Array(2 ** 20)).texture.delete()
  expect([gl.canvas.width, gl.canvas.height]).toEqual([2, 2])
})

test('gpu.js opens no context for feature tests', () => {
  expect(opened).not.toHaveBeenCalled()
})

test('numbers are read back unchanged, whatever their count', () => {
  for (const length of [1, 4, 5, 1023, 1025, 70_000]) {
    const data = Float32Array.from({ length }, (_, n) => n + 1 / 3)
    const sheet = sheets.upload(data)
    expect(host.read(sheet, length)).toEqual(data)
    sheet.texture.delete()
  }
})

test('a loop is not cut at 1000 turns', () => {
  const pass = new Pass(host, {
    name: 'turns',
    glsl: 'vec4 turns() { float n = 0.0; for (int i = 0; i < user_count; i++) n += 1.0; return vec4(n); }',
    textures: [],
    integers: ['count'],
    size: flatSize(4),
  })
  expect(firstOf(pass, { count: 4321 })).toBe(4321)
  pass.dispose()
})

test('numbers are highp, so that a uniform keeps 24 bits and a sum of whole numbers is exact', () => {
  const pass = new Pass(host, {
    name: 'shifted',
    glsl: 'vec4 shifted() { return vec4(user_x + 1.0); }',
    textures: [],
    numbers: ['x'],
    size: flatSize(4),
  })
  expect(firstOf(pass, { x: 2 ** 23 + 1 })).toBe(2 ** 23 + 2)
  pass.dispose()
})

test('every shader declares highp throughout', () => {
  const sources = vi.spyOn(gl, 'shaderSource')
  new Pass(host, constant('5.0')).dispose()
  expect(sources).toHaveBeenCalledTimes(2)
  for (const [, text] of sources.mock.calls) {
    for (const type of ['float', 'int', 'sampler2D']) expect(text).toContain(`precision highp ${type};`)
    expect(text).not.toMatch(/lowp|mediump/)
  }
  sources.mockRestore()
})

test('in WebGL1 a result is a product of highp numbers, so that no driver rounds it to less', async () => {
  const found = findContext(() => new OffscreenCanvas(2, 2).getContext('webgl'))
  if (!('gl' in found)) throw new Error(found.reason)
  const older = new GlHost(await loadDriver(), found)
  const pass = new Pass(older, constant('5.0'))
  expect(pass.source.glsl).toMatch(/vec4 highpOutput\(\) { return user_one \* constant\(\); }$/)
  const sheet = pass.run({})
  expect(older.read(sheet, 1)).toEqual(new Float32Array([5]))
  expect(new Pass(host, constant('5.0')).source.glsl).not.toContain('highpOutput')
  sheet.texture.delete()
  await older.dispose()
})

test('building a kernel does not wait for the compiler', async () => {
  const questions = (['getShaderParameter', 'getProgramParameter', 'getAttribLocation', 'useProgram'] as const).map(
    (name) => vi.spyOn(gl, name),
  )
  const pass = new Pass(host, constant('6.0'))
  for (const question of questions) {
    expect(question).not.toHaveBeenCalled()
    question.mockRestore()
  }
  await pass.ready()
  expect(firstOf(pass)).toBe(6)
  pass.dispose()
})

test('a result is not overwritten by the next run of its pass', () => {
  const pass = new Pass(host, given)
  const sheetsOfRuns = [1, 2, 3].map((x) => pass.run({ values: { x } }))
  expect(sheetsOfRuns.map((sheet) => host.read(sheet, 1)[0])).toEqual([1, 2, 3])
  for (const { texture } of sheetsOfRuns) texture.delete()
  pass.dispose()
})

test('a pass keeps working when one compiled after it is disposed of', () => {
  const kept = new Pass(host, given)
  const latest = new Pass(host, constant('4.0'))
  expect([firstOf(kept, { x: 3 }), firstOf(latest)]).toEqual([3, 4])
  latest.dispose()
  // Another number: the texture may still hold the one before.
  expect(firstOf(kept, { x: 5 })).toBe(5)
  kept.dispose()
})

test('passes with the same text share a kernel, which works until the last is disposed of, and after', () => {
  const built = vi.spyOn(gl, 'linkProgram')
  const shared = { ...given, glsl: 'vec4 given() { return vec4(user_x + 0.5); }' }
  const [one, other] = [new Pass(host, shared), new Pass(host, shared)]
  const kept = one.run({ values: { x: 1 } })
  expect(firstOf(other, { x: 2 })).toBe(2.5)
  one.dispose()
  one.dispose()
  expect(firstOf(other, { x: 3 })).toBe(3.5)
  other.dispose()
  const next = new Pass(host, shared)
  expect(firstOf(next, { x: 4 })).toBe(4.5)
  expect(host.read(kept, 1)[0]).toBe(1.5)
  kept.texture.delete()
  next.dispose()
  expect(built).toHaveBeenCalledTimes(1)
  built.mockRestore()
})

test('a program for another number of points compiles nothing', async () => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const workload = accelerations(gravity({ softening: 0.1 }))
  const built = vi.spyOn(given[0] as WebGL2RenderingContext, 'linkProgram')
  const links: number[] = []
  for (const count of [100, 131, 1]) {
    const { shape, bindings } = bind(workload, cloud(count))
    const program = await device.prepare(workload, shape)
    const { acceleration } = await program.run(bindings)
    const truth = truthOf(workload, shape, bindings)
    const { max } = errorNorms(acceleration ?? [], truth.results.acceleration ?? [], truth.scales.acceleration ?? [])
    expect(max).toBeLessThan(1e-5)
    program.dispose()
    links.push(built.mock.calls.length)
  }
  expect(links).toEqual([2, 2, 2])
  await device.dispose()
})

test('a shader that the driver rejects is an error with its source, and does not run on the CPU', async () => {
  const wrong = new Pass(host, constant('nothingOfThisName'))
  await expect(wrong.ready()).rejects.toThrow(ProgramCompilationError)
  expect(() => wrong.run({})).toThrow(/Cannot compile program on webgl: compiling failed: .*nothingOfThisName/)
})

test.for([
  ['checkFramebufferStatus', 36054, /its float framebuffer is incomplete \(status 36054\)/],
  ['getError', 1285, /drawing failed with WebGL error 1285/],
] as const)('a first run for which %s returns %i is an error', ([name, answer, reason]) => {
  const pass = new Pass(host, constant('7.0'))
  const asked = vi.spyOn(gl, name).mockReturnValue(answer)
  expect(() => pass.run({})).toThrow(reason)
  asked.mockRestore()
  pass.dispose()
})

test('a kernel that left WebGL is an error', () => {
  const disguised = Object.assign(() => [1], { build: () => {}, destroy: () => {}, kernel: { context: null } })
  const create = vi.spyOn(host.driver, 'createKernel').mockReturnValue(disguised)
  expect(() => new Pass(host, constant('1.0'))).toThrow(/left WebGL for another mode/)
  create.mockRestore()
})

test('a kernel that leaves WebGL when it runs is an error', async () => {
  const createKernel = host.driver.createKernel.bind(host.driver)
  const create = vi.spyOn(host.driver, 'createKernel').mockImplementation((source, settings) => {
    const kernel = createKernel(source, settings)
    let left = false
    const leaving = (...args: readonly unknown[]) => {
      left = true
      return kernel(...args)
    }
    const members = { build: kernel.build, destroy: kernel.destroy }
    return Object.defineProperty(Object.assign(leaving, members), 'kernel', {
      get: () => (left ? { context: null } : kernel.kernel),
    }) as unknown as DriverKernel
  })
  const pass = new Pass(host, constant('1.0'))
  await pass.ready()
  expect(() => pass.run({})).toThrow(/left WebGL for another mode while running/)
  create.mockRestore()
  pass.dispose()
})

test('a context is released after a probe, with its device, and when opening fails', async () => {
  const { factory, given } = remembered()
  const backend = webgl({ context: factory })
  expect(await backend.probe()).toMatchObject({ available: true })
  await (await backend.open()).dispose()
  const lying = () => Object.assign(factory() as WebGL2RenderingContext, { readPixels: () => {} })
  await expect(webgl({ context: lying }).open()).rejects.toThrow(/no longer answers/)
  expect(given.map((context) => context.isContextLost())).toEqual([true, true, true])
})

test('twenty devices and twenty probes in turn release their contexts', async () => {
  const live = await openHost()
  for (let n = 0; n < 20; n++) {
    await (await openHost()).host.dispose()
    expect(await webgl().probe()).toMatchObject({ available: true })
  }
  expect(live.gl.isContextLost()).toBe(false)
  expect(gl.isContextLost()).toBe(false)
  await live.host.dispose()
})
