// Texts, names, plain data and snapshots that are wrong by one random change.

import {
  accelerations,
  attributeSum,
  type BlockRanges,
  createEngine,
  type Engine,
  externalPotential,
  type FloatArray,
  forces,
  langevin,
  lennardJones,
  nearest,
  neighborsWithin,
  type PairWorkload,
  pairPotential,
  periodic,
  potentials,
  reduce,
  type SimulationOptions,
  tree,
  type Workload,
} from 'manybody'
import type { Fault, Outcome } from '../fault.ts'
import { law, points, refused } from '../work.ts'

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(list.length * random())] as T

const backends = ['reference', 'cpu-wasm', 'webgl', 'webgpu']
const engines = new Map<string, Promise<Engine>>()

/** One of the backends, on an engine that stays open. */
function anEngine(random: () => number): Promise<Engine> {
  const backend = pick(random, backends)
  const engine = engines.get(backend) ?? createEngine({ backend, threads: 2 })
  engines.set(backend, engine)
  return engine
}

const same = (found: FloatArray, expected: FloatArray, within = 0): boolean =>
  found.length === expected.length && found.every((x, n) => Math.abs(x - (expected[n] ?? Number.NaN)) <= within)

async function trying(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    const done = await work()
    return { kind: done === false ? 'bad' : 'correct', note: done === false ? 'another result' : 'ran' }
  } catch (error) {
    return refused(error)
  }
}

const tokens = [
  'r',
  'r2',
  'q_i',
  'q_j',
  '(',
  ')',
  '^',
  '*',
  '+',
  '-',
  '/',
  ';',
  '=',
  ',',
  'exp',
  '1e999',
  '9',
  '"',
  '\n',
  '\u0000',
  '𝟙',
  '__proto__',
  '//',
]

const hostileText: Fault = {
  name: 'hostile text',
  how: 'a law of one to thirty random tokens, many of them misplaced, on a random backend',
  attempt: (random) =>
    trying(async () => {
      const text = Array.from({ length: 1 + Math.floor(30 * random()) }, () => pick(random, tokens)).join(
        pick(random, ['', ' ']),
      )
      const engine = await anEngine(random)
      const { position, mass } = points(5)
      await engine.run(accelerations(pairPotential(text, { inertia: 'mass' })()), { position, mass, q: mass })
    }),
}

const values = [
  null,
  undefined,
  true,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  'x',
  [],
  {},
  [null],
  { length: 3 },
  () => 1,
] as const

/** Fields that may be absent; the data then has another meaning. */
const optional = ['ranges', 'cutoff', 'method']

/** Replaces one random field of plain data. `meant`: somebody may want the result, because one number replaced another. */
function damaged<T>(data: T, random: () => number): { readonly data: T; readonly meant: boolean } {
  const fields: [Record<string, unknown>, string][] = []
  const visit = (object: unknown): void => {
    if (typeof object !== 'object' || object === null || ArrayBuffer.isView(object)) return
    for (const key of Object.keys(object)) {
      fields.push([object as Record<string, unknown>, key])
      visit((object as Record<string, unknown>)[key])
    }
  }
  visit(data)
  const [object, key] = pick(random, fields)
  const [before, after] = [object[key], pick(random, values)]
  object[key] = after
  const without = after === undefined && optional.includes(key)
  return { data, meant: without || (Number.isFinite(before) && Number.isFinite(after)) }
}

const { position, mass } = points(5)
const given = { targets: [0, 2, 5], offsets: [0, 1, 2], sources: [1, 4, 0, 5] }
/** Workloads, with their attributes and ranges. */
const stored: readonly (readonly [PairWorkload, object, BlockRanges?])[] = [
  [accelerations(law), { mass }],
  [accelerations(law), { mass }, given],
  [forces(lennardJones(), { boundary: periodic([1, 1, 1]), cutoff: 0.5 }), { sigma: mass, epsilon: mass }],
  [potentials(law, { method: tree({ tolerance: 0.01 }) }), { mass }],
  [neighborsWithin(0.5), {}, given],
  [nearest(2), {}, given],
  [reduce('argmin', attributeSum()), { p: mass }],
]

const json: Fault = {
  name: 'JSON',
  how: 'one field of a workload from JSON, or of the ranges of its run, gets another value',
  attempt: (random) =>
    trying(async () => {
      const [workload, attributes, ranges] = pick(random, stored)
      const whole = { workload, ...(ranges && { ranges }) }
      const { data, meant } = damaged(JSON.parse(JSON.stringify(whole)) as typeof whole, random)
      await using engine = await createEngine({ backend: 'reference' })
      const results = async ({ workload, ...options }: typeof whole) => {
        const { report, ...arrays } = await engine.run(workload as Workload, { position, ...attributes }, options)
        return Object.values(arrays) as readonly FloatArray[]
      }
      const found = await results(data)
      const expected = await results(whole)
      return meant || (found.length === expected.length && found.every((array, n) => same(array, expected[n] ?? array)))
    }),
}

const trap = externalPotential('w*(position_x^2 + position_y^2)', { parameters: { w: 1 } })
const spring = pairPotential('k*(r - 1)^2/2', { parameters: { k: 0.5 }, inertia: 'mass' })

/** Simulations with snapshots that have all kinds of parts. */
const described: readonly Omit<SimulationOptions, 'particles' | 'dt'>[] = [
  { law },
  {
    forces: [
      { law, cutoff: 0.7, exclusions: [[0, 1]], scale: 0.5 },
      { law: spring(), bonds: [[1, 2]], attributes: { k: [2] } },
      trap(),
    ],
    fixed: [4],
    integrator: langevin({ temperature: 1, friction: 0.5, seed: 3 }),
  },
]

const snapshots: Fault = {
  name: 'snapshots',
  how: 'one field of a snapshot gets another value before it is resumed',
  attempt: (random) =>
    trying(async () => {
      await using engine = await createEngine({ backend: 'reference' })
      const moving = await engine.simulate({
        ...pick(random, described),
        particles: { ...points(5), velocity: new Float32Array(15) },
        dt: 0.01,
      })
      await moving.step(2)
      const snapshot = await moving.snapshot()
      await moving.step(2)
      const expected = await moving.read('position')
      const again = await engine.resume(damaged(structuredClone(snapshot), random).data)
      await again.step(2)
      const found = await again.read('position')
      return same(found, expected)
    }),
}

const nameParts = [
  'a',
  'mass',
  '_',
  '-',
  '__',
  'gl_x',
  'constructor',
  '__proto__',
  'pi',
  ' ',
  '$',
  'é',
  'report',
  'x'.repeat(500),
]

const names: Fault = {
  name: 'names',
  how: 'an attribute gets a random name from words that some language reserves or cannot spell, on a random backend',
  attempt: (random) =>
    trying(async () => {
      const name = Array.from({ length: 1 + Math.floor(2 * random()) }, () => pick(random, nameParts)).join('')
      const engine = await anEngine(random)
      const { position, mass } = points(5)
      const own = (q: string) => accelerations(pairPotential(`${q}_i*${q}_j/r`, { inertia: 'mass' })())
      const { acceleration } = await engine.run(own(name), { position, mass, [name]: mass } as never)
      const plain = await engine.run(own('q'), { position, mass, q: mass })
      return same(acceleration, plain.acceleration, 1e-4)
    }),
}

export const text: readonly Fault[] = [hostileText, names, json, snapshots]
