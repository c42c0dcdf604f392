// Loops of WebGL2 that fold several targets at a time. Devices use them for thousands of points; here they run with few, which the
// reference can check.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import {
  accelerations,
  countWithin,
  createEngine,
  type Engine,
  forces,
  gravity,
  lennardJones,
  nearest,
  type PairWorkload,
  pairTerm,
  periodic,
  reduce,
  sum,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { dialectFor } from '../../../packages/backend-webgl/src/compile/glsl/dialect.ts'
import { glslText } from '../../../packages/backend-webgl/src/text.ts'
import { angleContexts, likeHardware } from '../../support/angle.ts'

/** Three rows of the two tiles on a graphics card, two of the four on a software rasteriser. The last rows are not full. */
const count = 1400
/** Targets that the reference checks: about 25 of each row of two tiles, and more of a row of four. */
const judged = 90
const seeded = (length: number, seed: number) =>
  Float32Array.from({ length }, (_, n) => (Math.sin(seed + 12.9898 * n) * 43758.5453) % 1)
const particles = {
  position: seeded(3 * count, 1).map((x) => 3 + 3 * x),
  mass: seeded(count, 2).map(Math.abs),
  charge: seeded(count, 3),
}

const workloads: readonly (readonly [name: string, workload: PairWorkload])[] = [
  ['gravity', accelerations(gravity({ softening: 0.1 }))],
  [
    'Lennard-Jones in a box, without some pairs',
    forces(lennardJones({ epsilon: 1e-3, sigma: 0.05 }), {
      boundary: periodic([6, 6, 6]),
      cutoff: 0.9,
      exclusions: [
        [0, 1],
        [3, 1300],
        [700, 701],
        [1300, 900],
      ],
    }),
  ],
  ['a law with attributes of both points', sum(pairTerm('charge_i * charge_j / (1 + r2)')())],
  ['a count', countWithin(0.5)],
  ['the place of a maximum', reduce('argmax', pairTerm('charge_j * exp(-r2)')())],
  ['a log-sum-exp', reduce('logsumexp', pairTerm('-r2')())],
  ['a state of two pages', nearest(3)],
  ['a state of four pages', nearest(8)],
]

const farthest = (a: ArrayLike<number> = [], b: ArrayLike<number> = []) =>
  Math.max(...Array.from(a, (x, n) => Math.abs(x - (b[n] as number))))

describe.each([
  ['a graphics card', 'hardware', 2],
  ['a software rasteriser', 'software', 4],
] as const)('as on %s', async (_, kind, targets) => {
  const dialect = dialectFor(2, kind)
  const [{ tileRows }, contexts] = [dialect, await (kind === 'hardware' ? likeHardware() : angleContexts(2))]
  Object.assign(dialect, { tileRows: 1 })
  const engine: Engine = await createEngine({ backends: [webgl({ context: contexts })] })
  afterAll(() => {
    Object.assign(dialect, { tileRows })
    engine.dispose()
  })

  test('several targets share a source', () => {
    const shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] } as const
    const text = glslText(accelerations(gravity()), shape, { kind })
    expect(text).toContain(`tile${targets - 1} = `)
    expect(text).not.toContain(`tile${targets} = `)
  })

  test.each(workloads)('%s', async (_name, workload) => {
    expect(await engine.verify(workload, particles, { sample: judged })).toMatchObject({ ok: true })
  })

  test('vectors', async () => {
    const kernel = sum(pairTerm('weight_j*exp(-sqdist(feature_i, feature_j))/(1 + norm(feature_i)*norm(feature_j))')())
    const features = { feature: seeded(11 * count, 5), weight: seeded(count, 6) }
    expect(await engine.verify(kernel, features, { sample: 30 })).toMatchObject({ ok: true })
  })

  test('ranges of targets and sources', async () => {
    const { workload, shape, bindings } = bind(accelerations(gravity({ softening: 0.1 })), particles)
    const program = await engine.device.prepare(workload, shape)
    const { acceleration: whole = [] } = await program.run(bindings)
    const some = await program.run(bindings, { targets: [500, 1100] })
    // The speed of the device decides how many passes add up the sources, and thus how a sum is rounded.
    const rounding = 1e-6 * Math.max(...whole.map(Math.abs))
    expect(some.acceleration?.length).toBe(3 * 600)
    expect(farthest(some.acceleration, whole.slice(3 * 500, 3 * 1100))).toBeLessThan(rounding)
    const initial = await program.run(bindings, { sources: [0, 512] })
    const both = await program.run(bindings, { sources: [512, count], initial })
    expect(farthest(both.acceleration, whole)).toBeLessThan(rounding)
    program.dispose()
  })

  test('steps of a simulation', async () => {
    const law = gravity({ softening: 0.1 })
    const moving = { ...particles, velocity: seeded(3 * count, 4) }
    await using cpu = await createEngine({ backends: [cpuWasm()] })
    const after = async (on: Engine) => {
      await using simulation = await on.simulate({ law, particles: moving, dt: 1e-3 })
      await simulation.step(5)
      return await simulation.read('position')
    }
    expect(farthest(await after(engine), await after(cpu))).toBeLessThan(1e-5)
  })
})

test('a device that draws into one float texture at a time folds one target at a time', async () => {
  const contexts = await angleContexts(2)
  const context = () => {
    const gl = contexts()
    const [attach, status] = [gl.framebufferTexture2D.bind(gl), gl.checkFramebufferStatus.bind(gl)]
    let several = false
    return Object.assign(gl, {
      framebufferTexture2D: (...args: Parameters<typeof attach>) => {
        several ||= args[1] > gl.COLOR_ATTACHMENT0
        attach(...args)
      },
      checkFramebufferStatus: (target: number) => (several ? 0x8cdd : status(target)), // FRAMEBUFFER_UNSUPPORTED
      deleteFramebuffer: () => {
        several = false
      },
    })
  }
  await using engine = await createEngine({ backends: [webgl({ context })] })
  for (const workload of [accelerations(gravity({ softening: 0.1 })), nearest(3)])
    expect(await engine.verify(workload, particles, { sample: 100 })).toMatchObject({ ok: true })
})
