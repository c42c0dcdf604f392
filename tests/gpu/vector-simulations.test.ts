// Energies and simulations that read vectors of any length, on every backend, beside the same laws written out with a number for each component.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import {
  createEngine,
  type DomainOptions,
  type Engine,
  energy,
  externalPotential,
  forces,
  type Interaction,
  type Precision,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reference,
  type SimulationOptions,
  sum,
  virial,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

const [count, length] = [40, 10]
const noise = (n: number) => (Math.sin(12.9898 * (n + 1)) * 43758.5453) % 1
const spread = (size: number, seed: number) => Float32Array.from({ length: size }, (_, n) => noise(n + 1000 * seed))
const position = spread(3 * count, 1)
const f = spread(length * count, 2)
const q = spread(count, 3)
const mass = spread(count, 4).map((x) => 1 + x * x)
const component = (array: Float32Array, k: number) =>
  Float32Array.from({ length: array.length / length }, (_, n) => array[n * length + k] as number)
const apart = (array: Float32Array) =>
  Object.fromEntries(Array.from({ length }, (_, k) => [`f${k}`, component(array, k)] as const))
const squares = Array.from({ length }, (_, k) => `(f${k}_i - f${k}_j)^2`).join(' + ')

const inertia = 'mass'
const ofVectors = pairPotential('q_i*q_j*exp(-sqdist(f_i, f_j))/sqrt(r2 + 0.1)', { inertia })()
const written = pairPotential(`q_i*q_j*exp(-(${squares}))/sqrt(r2 + 0.1)`, { inertia })()

const backends = {
  reference: reference(),
  'cpu-wasm': cpuWasm(),
  webgpu: webgpu(),
  webgl: webgl({ context: await angleContexts(2) }),
}
const combinations = (['f32', 'f64'] as const).flatMap((precision) =>
  (Object.keys(backends) as (keyof typeof backends)[]).flatMap((backend) =>
    precision === 'f64' && backend.startsWith('webg') ? [] : [{ backend, precision }],
  ),
)
const engines = new Map<string, Engine<Precision>>()
for (const { backend, precision } of combinations)
  engines.set(`${backend} ${precision}`, await createEngine({ backends: [backends[backend]], precision }))
const exact = await createEngine({ backends: [reference()], precision: 'f64' })
afterAll(() => {
  for (const engine of [exact, ...engines.values()]) engine.dispose()
})

const domains: readonly (DomainOptions & { readonly name: string })[] = [
  { name: 'between all points' },
  { name: 'within a cutoff, shifted', cutoff: 0.9, shift: true },
  { name: 'within a cutoff, switched', cutoff: 0.9, switchDistance: 0.5, exclusions: [[0, 1]] },
]

/** The numbers that both laws give. */
async function both(
  engine: Engine<Precision>,
  of: (engine: Engine<Precision>, law: Interaction, features: object) => Promise<ArrayLike<number>>,
): Promise<readonly [own: ArrayLike<number>, truth: ArrayLike<number>]> {
  return [await of(engine, ofVectors, { f }), await of(exact, written, apart(f))]
}

function expectClose([own, truth]: readonly [ArrayLike<number>, ArrayLike<number>], precision: Precision): void {
  const size = Math.max(...Array.from(truth, Math.abs))
  expect(own.length).toBe(truth.length)
  const bound = (precision === 'f64' ? 1e-12 : 5e-5) * size
  for (let n = 0; n < truth.length; n++)
    expect(Math.abs((own[n] as number) - (truth[n] as number))).toBeLessThanOrEqual(bound)
}

describe.each(combinations)('on $backend in $precision', ({ backend, precision }) => {
  const engine = engines.get(`${backend} ${precision}`) as Engine<Precision>

  test.each(domains)('runs $name', async ({ name: _, ...domain }) => {
    for (const workload of [forces, potentials, energy, virial]) {
      const numbers = await both(engine, async (on, law, features) => {
        const { report, ...results } = await on.run(workload(law, domain), { position, q, ...features })
        if (on === engine) expect(report.backend).toBe(backend)
        const [value] = Object.values<ArrayLike<number> | number>(results)
        return typeof value === 'number' ? [value] : (value as ArrayLike<number>)
      })
      expectClose(numbers, precision)
    }
    const { ok } = await engine.verify(forces(ofVectors, domain), { position, q, f }, { sample: 9 })
    expect(ok).toBe(true)
  })

  const simulated = (law: Interaction, features: object, more: object = {}): SimulationOptions =>
    ({ law, particles: { position, q, mass, ...features }, dt: 0.01, ...more }) as SimulationOptions

  test('simulates, and takes other vectors while it runs', async () => {
    const half = f.map((x) => x / 2)
    const path = (features: Record<string, Float32Array>) => async (on: Engine<Precision>, law: Interaction) => {
      const simulation = await on.simulate(simulated(law, law === ofVectors ? { f } : apart(f)))
      await simulation.step(5)
      for (const [name, numbers] of Object.entries(law === ofVectors ? { f: half } : features))
        await simulation.write(name, numbers)
      await simulation.step(5)
      const { potential } = await simulation.energy()
      const places = await simulation.read('position')
      simulation.dispose()
      return [...places, potential]
    }
    expectClose(await both(engine, path(apart(half))), precision)
  })

  test('goes on from a snapshot, with the vectors that some points got', async () => {
    const first = await engine.simulate(simulated(ofVectors, { f }))
    await first.write('f', new Float32Array(2 * length), { indices: [7, 3] })
    await first.step(3)
    const second = await engine.resume(structuredClone(await first.snapshot()))
    for (const one of [first, second]) await one.step(3)
    expect(Array.from(await second.read('f'))).toEqual(Array.from(await first.read('f')))
    expect(Array.from(await second.read('position'))).toEqual(Array.from(await first.read('position')))
    expect((await first.read('f')).slice(3 * length, 4 * length).every((x) => x === 0)).toBe(true)
  })

  test.each([1, 3, length])('copies vectors of %i into the cells of a small box', async (width) => {
    const own = Float32Array.from({ length: count * width }, (_, n) => f[n] as number)
    const apartOwn = Object.fromEntries(
      Array.from({ length: width }, (_, k) => [`f${k}`, own.filter((_, n) => n % width === k)] as const),
    )
    const all = Array.from({ length: width }, (_, k) => `(f${k}_i - f${k}_j)^2`).join(' + ')
    const parted = pairPotential(`q_i*q_j*exp(-(${all}))/sqrt(r2 + 0.1)`, { inertia })()
    const domain = { boundary: periodic([2, 2.5, 3]), cutoff: 1.4, switchDistance: 0.9 }
    const path = async (on: Engine<Precision>, law: Interaction, features: object) => {
      const simulation = await on.simulate(simulated(law, features, { domain }))
      await simulation.step(4)
      const { potential } = await simulation.energy()
      return [...(await simulation.read('position')), potential]
    }
    expectClose([await path(engine, ofVectors, { f: own }), await path(exact, parted, apartOwn)], precision)
  })

  test('takes points with vectors, and removes some', async () => {
    const more = { position: spread(6, 7), q: spread(2, 8), mass: [1, 2] }
    const vectors = spread(2 * length, 9)
    const numbers = await both(engine, async (on, law, features) => {
      const simulation = await on.simulate(simulated(law, features, { capacity: count + 5 }))
      await simulation.step(2)
      await simulation.add({ ...more, ...(law === ofVectors ? { f: vectors } : apart(vectors)) } as never)
      await simulation.remove([0, 11])
      await simulation.step(4)
      return simulation.read('position')
    })
    expectClose(numbers, precision)
  })

  test('sums a term of vectors for each point, which an energy reads', async () => {
    const near = (text: string) => ({ law: pairTerm(`exp(-r2)*${text}`)(), self: 'include' as const })
    const numbers = await both(engine, async (on, law, features) => {
      const density = near(law === ofVectors ? 'exp(-sqdist(f_i, f_j))' : `exp(-(${squares}))`)
      const simulation = await on.simulate({
        ...{ particles: { position, q, mass, ...features }, dt: 0.01, computed: { density } },
        forces: [law, externalPotential('density^2', { inertia })()],
      } as SimulationOptions)
      await simulation.step(6)
      return simulation.read('position')
    })
    expectClose(numbers, precision)
  })

  test('reads vectors in bonds, and takes other numbers of the law', async () => {
    const parameters = { g: Array.from({ length }, (_, k) => k / length), p: 1 }
    const apartG = Object.fromEntries(parameters.g.map((x, k) => [`g${k}`, x] as const))
    const all = (body: string) => Array.from({ length }, (_, k) => body.replaceAll('#', `${k}`)).join(' + ')
    const bonds = [
      [0, 1],
      [1, 2],
      [5, 30],
    ] as const
    const other = parameters.g.map((x) => 1 - x)
    const numbers = await both(engine, async (on, law, features) => {
      const own = law === ofVectors
      const bond = own
        ? pairPotential('r2*exp(-sum(g*p*(f_i - f_j)^2))', { parameters, inertia })()
        : pairPotential(`r2*exp(-p*(${all('g#*(f#_i - f#_j)^2')}))`, { parameters: { ...apartG, p: 1 }, inertia })()
      const simulation = await on.simulate({
        ...{ particles: { position, q, mass, ...features }, dt: 0.01 },
        forces: [{ law: bond, bonds }],
      } as SimulationOptions)
      await simulation.step(3)
      await simulation.set({
        parameters: { p: 0.5, ...(own ? { g: other } : Object.fromEntries(other.map((x, k) => [`g${k}`, x]))) },
      })
      await simulation.step(3)
      const half = f.map((x) => x / 2)
      for (const [name, array] of Object.entries(own ? { f: half } : apart(half))) await simulation.write(name, array)
      await simulation.step(3)
      const resumed = await on.resume(structuredClone(await simulation.snapshot()))
      const { potential } = await resumed.energy()
      return [...(await simulation.read('position')), potential]
    })
    expectClose(numbers, precision)
  })

  test('takes a vector among the parameters of a law of pairs while it runs', async () => {
    const g = Array.from({ length }, (_, k) => k / length)
    const law = pairPotential('q_i*q_j*exp(-sum(g*(f_i - f_j)^2))/sqrt(r2 + 0.1)', { parameters: { g }, inertia })
    const simulation = await engine.simulate(simulated(law(), { f }))
    await simulation.set({ parameters: { g: new Array(length).fill(1) } })
    const { potential } = await simulation.energy()
    const { energy: truth } = await exact.run(energy(ofVectors), { position, q, f })
    expect(Math.abs(potential - truth)).toBeLessThanOrEqual(1e-5 * Math.abs(truth))
    await simulation.write('g', g)
    expect((await simulation.energy()).potential).not.toBe(potential)
    await expect(simulation.write('g', [1, 2])).rejects.toThrow('"g" expected 10 numbers, as before, got 2')
    await expect(simulation.write('g', 2)).rejects.toThrow('"g" expected a list of numbers')
  })

  test('sums a vector for each point where the device sums vectors', async () => {
    const smooth = pairTerm('exp(-r2)*vector(f_j)')()
    const alike = pairTerm('dot(smooth_i, smooth_j)')()
    const computed = { smooth: { law: smooth, self: 'include' as const }, alike: { law: alike } }
    const options = simulated(ofVectors, { f }, { computed })
    if (backend === 'reference' || backend === 'webgl') {
      await expect(engine.simulate(options).then((one) => one.step(1))).rejects.toThrow(
        'it sums a few components of a vector at a time, which a simulation does not do; use the backend cpu-wasm or webgpu',
      )
      return
    }
    const simulation = await engine.simulate(options)
    await simulation.step(2)
    const places = await simulation.read('position')
    const { value } = await exact.run(sum(smooth, { self: 'include' }), { position: places, f })
    expectClose([await simulation.read('smooth'), value], precision)
    const { value: numbers } = await exact.run(sum(alike), { smooth: value, count })
    expectClose([await simulation.read('alike'), numbers], precision)
    const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
    for (const one of [simulation, resumed]) await one.step(2)
    expect(await resumed.read('smooth')).toEqual(await simulation.read('smooth'))
  })
})
