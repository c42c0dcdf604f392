// Sums through a mesh on every device, and steps with such forces: the device sums the short parts, the device or the host the rest, and both
// together meet the tolerance. Devices share the cases, such that each has every place and every law; `npm run deep` runs all on all.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import {
  type Backend,
  biotSavart,
  coulomb,
  createEngine,
  forces,
  gravity,
  mesh,
  open,
  type PairWorkload,
  pairTerm,
  periodic,
  potentials,
  type Report,
  type SumOptions,
  sum,
  yoshida4,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { Remembered } from '../../packages/core/src/ground/remember.ts'
import { angleContexts } from '../support/angle.ts'
import { deep } from '../support/share.ts'

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
const slab = periodic([1, Number.POSITIVE_INFINITY, 1])
const triclinic = periodic({ a: [1, 0, 0], b: [0.3, 1, 0], c: [-0.2, 0.4, 1] })
const judge = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
afterAll(() => judge.dispose())

/** Of two devices that share cases, the one that has this case; in a deep run both. */
const hasCase = (device: number, n: number): boolean => deep || n % 2 === device

interface Sum {
  readonly report: Report
  readonly values: Float64Array
}
const truths = new Remembered<object, Promise<Sum>>()

describe.each([
  ['webgpu', async () => webgpu()],
  ['webgl', async () => webgl({ context: await angleContexts(2) })],
] as const)('%s', async (name, backend) => {
  const engine = await createEngine({ backends: [await backend()] })
  afterAll(() => engine.dispose())
  const cases = Object.entries(sums).flatMap(([of, given], law) =>
    Object.entries({
      'in a box': boundary,
      'in a triclinic box': triclinic,
      'in a slab': slab,
      'in open space': open(),
    }).flatMap(([where, boundary], place) =>
      hasCase(name === 'webgpu' ? 1 : 0, law + place) ? [[of, where, boundary, ...given] as const] : [],
    ),
  )
  test.each(cases)('%s %s', async (_of, where, boundary, make, points) => {
    const run = async (on: typeof judge | typeof engine, tolerance: number): Promise<Sum> => {
      const { report, ...results } = await on.run(make({ boundary, method: mesh({ tolerance }) }), points as never)
      return { report, values: Object.values(results)[0] as unknown as Float64Array }
    }
    const [found, truth] = [await run(engine, 1e-4), await truths.of(make, () => run(judge, 1e-6), where)]
    expect(found.report.error).toMatchObject({ ok: true, tolerance: 1e-4 })
    expect(found.report.variant).toMatch(name === 'webgl' ? /^mesh \(.* on the host\)/ : /^mesh \(.*\d\)/)
    const size = Math.sqrt(truth.values.reduce((all, x) => all + x * x, 0))
    const apart = Math.sqrt(truth.values.reduce((all, x, n) => all + (x - (found.values[n] as number)) ** 2, 0))
    expect(apart / size).toBeLessThan(5e-3)
  })
})

test.each([
  ['webgpu', async () => webgpu()],
  ['webgl', async () => webgl({ context: await angleContexts(2) })],
  ['cpu-wasm', async () => cpuWasm()],
] as const)('%s sums forces of masses whose product float32 cannot hold', async (_, backend) => {
  await using engine = await createEngine({ backends: [await backend()] })
  const mass = position.slice(0, count).map((x) => 1e20 * (1 + x))
  const law = gravity({ G: 1e-30, softening: 1e-3 })
  const workload = forces(law, { method: mesh({ tolerance: 1e-4 }) })
  const { report, force } = await engine.run(workload, { position, mass })
  expect(report.error).toMatchObject({ ok: true })
  const truth = await judge.run(forces(law), { position, mass })
  const size = Math.hypot(...truth.force)
  expect(Math.hypot(...truth.force.map((x, n) => x - (force[n] as number))) / size).toBeLessThan(1e-3)
})

test.each([
  ['(q_j - q_i)/r^3', 30_000, 2e-5],
  ['(q_i - q_j)^2/r^3', 1000, 1e-2],
])('cpu-wasm sums differences of numbers that are large: %s', async (text, offset, most) => {
  await using engine = await createEngine({ backends: [cpuWasm()] })
  const q = position.slice(0, count).map((x) => offset + Math.round(256 * x) / 256)
  const law = pairTerm(text)()
  const { value } = await engine.run(sum(law, { method: mesh({ tolerance: 1e-4 }) }), { position, q })
  const truth = await judge.run(sum(law), { position, q })
  expect(apart(value, truth.value)).toBeLessThan(most)
})

describe.each([
  ['webgpu', 'f32', (n: number) => deep || (n > 0 && n !== 3), async () => webgpu()],
  ['webgl', 'f32', (n: number) => hasCase(0, n), async () => webgl({ context: await angleContexts(2) })],
  ['cpu-wasm', 'f32', (n: number) => hasCase(1, n), async () => cpuWasm()],
  ['cpu-wasm', 'f64', (n: number) => hasCase(0, n), async () => cpuWasm()],
] as const)('%s, %s: a simulation', async (name, precision, has, backend) => {
  const engine = await createEngine({ backends: [await backend()], precision })
  afterAll(() => engine.dispose())
  // With and without pairs that do not act on each other. Some are so close that their forces in full would leave no digits of the others.
  const paired = position.map((x, n) => (n % 9 >= 3 && n % 9 < 6 ? (position[n - 3] as number) + 1e-4 : x))
  const neighbours = Array.from({ length: count / 3 }, (_, n) =>
    [
      [0, 1],
      [1, 0],
      [0, 2],
    ].map(([a = 0, b = 0]) => [3 * n + a, 3 * n + b] as const),
  ).flat()
  // So many far pairs that another image of each would be seen in all forces.
  const apartFrom = [7, 50, 121, 170, 200]
  const far = Array.from({ length: count }, (_, n) => apartFrom.map((step) => [n, (n + step) % count] as const)).flat()
  const cases = [
    ['a box', boundary, []],
    ['a box with excluded pairs', boundary, neighbours],
    ['a triclinic box with excluded pairs', triclinic, neighbours],
    ['a triclinic box', triclinic, []],
    ['open space with excluded pairs', open(), neighbours],
    ['a slab with excluded pairs', slab, neighbours],
    ['a triclinic box with far excluded pairs', triclinic, [...neighbours, ...far]],
  ] as const
  test.each(cases.filter((_, n) => has(n)))(
    'has the right forces after each step: %s',
    async (_, boundary, exclusions) => {
      const simulation = await engine.simulate({
        particles: {
          position: exclusions.length > 0 ? paired : position,
          velocity: position.map((x) => x - 0.5),
          charge,
          mass: charge.map(() => 1),
        },
        forces: [{ law: coulomb({ k: 1e-4 }), boundary, exclusions, method: mesh({ tolerance: 1e-4 }) }],
        dt: 1e-4,
      })
      for (let n = 0; n < 3; n++) {
        // Twice with the first number of the law, then with another.
        const k = n < 2 ? 1e-4 : 3e-4
        if (n === 2) await simulation.set({ parameters: { k } })
        await simulation.step(2)
        const [found, place] = [await simulation.read('acceleration'), await simulation.read('position')]
        const { force } = await judge.run(
          forces(coulomb({ k }), { boundary, exclusions, method: mesh({ tolerance: 1e-6 }) }),
          {
            position: Float64Array.from(place),
            charge,
          },
        )
        expect(apart(found, force)).toBeLessThan(5e-3)
      }
      const [error] = await simulation.forceErrors()
      expect(error).toMatchObject({ ok: true, step: 6 })
      // In open space the host lays out the grid of each step.
      expect(error?.variant.includes('on the host')).toBe(name === 'webgl')
      expect(Math.abs(error?.net as number)).toBeLessThan(1e-5)
      simulation.dispose()
    },
  )
})

test('a device may compute one mesh and not another, and change its mind', async () => {
  const [near, far] = [mesh({ tolerance: 1e-3 }), mesh({ tolerance: 1e-4 })]
  let takes = (sizes: readonly number[]) => sizes[0] === 9
  const backend: Backend = {
    ...webgpu(),
    async open(options) {
      const device = await webgpu().open(options)
      device.takesGridStage = async ({ sizes }) => takes(sizes)
      return device
    },
  }
  await using engine = await createEngine({ backends: [backend] })
  await using simulation = await engine.simulate({
    particles: { position, charge, mass: charge.map(() => 1) },
    forces: [
      { law: coulomb({ k: 1e-4 }), boundary, method: near },
      { law: coulomb({ k: 2e-4 }), boundary, method: far },
    ],
    dt: 1e-4,
    integrator: yoshida4,
  })
  // One of both, then both, then none; parameters make the sequences again.
  for (const [k, next] of [
    [1e-4, () => true],
    [3e-4, () => false],
    [5e-4, () => false],
  ] as const) {
    await simulation.set({ parameters: { 'forces[0].k': k } as never })
    await simulation.step(1)
    const [found, place] = [await simulation.read('acceleration'), await simulation.read('position')]
    const workload = forces(coulomb({ k: k + 2e-4 }), { boundary, method: mesh({ tolerance: 1e-6 }) })
    const { force } = await judge.run(workload, { position: Float64Array.from(place), charge })
    expect(apart(found, force)).toBeLessThan(5e-3)
    takes = next
  }
})

/** The root mean square of differences, divided by that of the truth. */
function apart(found: ArrayLike<number>, truth: Float64Array): number {
  const square = (of: (x: number, n: number) => number) => truth.reduce((all, x, n) => all + of(x, n) ** 2, 0)
  return Math.sqrt(square((x, n) => x - (found[n] as number)) / square((x) => x))
}
