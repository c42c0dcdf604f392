// A lost context that blames the work before it reports the loss, and a driver that never finishes compiling.

import { createEngine, gravity, map, potentials, reference } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { expect, test, vi } from 'vitest'
import { webgl } from '../../src/index.ts'
import { cloud, lose, remembered } from './device.ts'

// A workload other than accelerations, because the engine compiled the shaders of those when it proved its device.
const pull = potentials(gravity({ softening: 0.1 }))
const points = cloud(200)
const exact = await (async () => {
  await using engine = await createEngine({ backends: [reference()] })
  return (await engine.run(pull, points)).potential
})()

const farFrom = (found: Float32Array) => found.reduce((most, x, n) => Math.max(most, Math.abs(x - (exact[n] ?? 0))), 0)

/** From now on the method returns this, and the context is lost in a later task. */
function failing(gl: WebGL2RenderingContext, name: keyof WebGL2RenderingContext, answer: unknown): void {
  let told = false
  const method = () => {
    if (!told) setTimeout(() => lose(gl), 0)
    told = true
    return answer
  }
  Object.assign(gl, { [name]: method })
}

test.each([
  ['checkFramebufferStatus', 36061],
  ['getError', 0x9242],
  ['getProgramParameter', null],
  ['createTexture', null],
  ['clientWaitSync', 0x911d],
  ['readPixels', undefined],
] as const)('%s of a context that is about to be lost counts as a loss', async (name, answer) => {
  const { factory, given } = remembered()
  await using engine = await createEngine({ backends: [webgl({ context: factory }), reference()], backend: 'webgl' })
  failing(given.at(-1) as WebGL2RenderingContext, name, answer)
  const { potential, report } = await engine.run(pull, points)
  expect(report.recoveries).toEqual([expect.stringMatching(/^webgl: its WebGL context was lost/)])
  expect(farFrom(potential)).toBeLessThan(1e-3)
})

test('a simulation continues if its context returns nothing when it is read', async () => {
  const { factory, given } = remembered()
  await using engine = await createEngine({ backends: [webgl({ context: factory })] })
  const velocity = new Float32Array(600)
  const simulation = await engine.simulate({
    law: gravity({ softening: 0.1 }),
    particles: { ...points, velocity },
    dt: 0.01,
  })
  await simulation.step(3)
  const undisturbed = await simulation.read('position')
  failing(given.at(-1) as WebGL2RenderingContext, 'readPixels', undefined)
  expect(await simulation.read('position')).toEqual(undisturbed)
  expect(simulation.recoveries).toHaveLength(1)
})

test("a shader's error is reported as such while the context still answers", async () => {
  const { factory, given } = remembered()
  const device = await webgl({ context: factory }).open()
  const { shape, bindings } = bind(pull, points)
  const program = await device.prepare(pull, shape)
  vi.spyOn(given.at(-1) as WebGL2RenderingContext, 'checkFramebufferStatus').mockReturnValue(36054)
  await expect(program.run(bindings)).rejects.toThrow(/its float framebuffer is incomplete \(status 36054\)/)
  device.dispose()
})

test.each([
  ['links', 'getProgramParameter', false],
  ['draws', 'clientWaitSync', 0x911b],
] as const)(
  'a shader that never %s is left to the next backend, without blocking the page',
  async (_, name, answer) => {
    const { factory, given } = remembered()
    await using engine = await createEngine({
      backends: [webgl({ context: factory }), reference()],
      backend: ['webgl', 'reference'],
    })
    const gl = given.at(-1) as WebGL2RenderingContext
    const getExtension = gl.getExtension.bind(gl)
    const parallel = { COMPLETION_STATUS_KHR: 0x91b1 }
    gl.getExtension = ((wanted: string) =>
      wanted === 'KHR_parallel_shader_compile' ? parallel : getExtension(wanted)) as never
    const original = gl[name].bind(gl) as (...args: unknown[]) => unknown
    const method = (...args: unknown[]) =>
      name === 'getProgramParameter' && args[1] !== parallel.COMPLETION_STATUS_KHR ? original(...args) : answer
    Object.assign(gl, { [name]: method })
    const now = performance.now.bind(performance)
    const start = now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + 100 * (now() - start))
    const { y, report } = await engine.run(map({ y: '2*mass' }), { mass: points.mass })
    clock.mockRestore()
    expect(y).toEqual(points.mass.map((m) => 2 * m))
    expect(report).toMatchObject({
      backend: 'reference',
      recoveries: ['webgl: its driver did not compile a shader within 30 s'],
    })
    expect(engine.selection.verdicts.map((v) => `${v.backend} ${v.outcome}: ${v.reason}`).at(0)).toBe(
      'webgl lost: was lost: its driver did not compile a shader within 30 s',
    )
  },
)
