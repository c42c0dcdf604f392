// Texts, names, plain data and snapshots that are wrong by one random change.

import { accelerations, createEngine, pairPotential } from 'manybody'
import type { Fault, Outcome } from '../fault.ts'
import { law, points, refused } from '../work.ts'

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(list.length * random())] as T

async function trying(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    const done = await work()
    return { kind: done === false ? 'bad' : 'correct', note: String(done) }
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
  how: 'a law of one to thirty random tokens, many of them misplaced',
  quick: true,
  attempt: (random) =>
    trying(async () => {
      const text = Array.from({ length: 1 + Math.floor(30 * random()) }, () => pick(random, tokens)).join(
        pick(random, ['', ' ']),
      )
      await using engine = await createEngine({ backend: 'reference' })
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

/** Replaces one random field of plain data. */
function damaged(data: unknown, random: () => number): unknown {
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
  object[key] = pick(random, values)
  return data
}

const json: Fault = {
  name: 'JSON',
  how: 'one field of a workload that came as JSON gets another value',
  quick: true,
  attempt: (random) =>
    trying(async () => {
      const workload = damaged(JSON.parse(JSON.stringify(accelerations(law))), random) as ReturnType<
        typeof accelerations
      >
      await using engine = await createEngine({ backend: 'reference' })
      await engine.run(workload, points(5))
    }),
}

const snapshots: Fault = {
  name: 'snapshots',
  how: 'one field of a snapshot gets another value before it is resumed',
  quick: true,
  attempt: (random) =>
    trying(async () => {
      await using engine = await createEngine({ backend: 'reference' })
      const moving = await engine.simulate({
        law,
        particles: { ...points(5), velocity: new Float32Array(15) },
        dt: 0.01,
      })
      await moving.step(2)
      const snapshot = await moving.snapshot()
      await moving.step(2)
      const expected = await moving.read('position')
      const again = await engine.resume(damaged(structuredClone(snapshot), random) as typeof snapshot)
      await again.step(2)
      const found = await again.read('position')
      return found.length === expected.length && found.every((x, n) => x === expected[n])
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
  how: 'an attribute gets a random name, of parts that languages reserve or do not know',
  quick: true,
  attempt: (random) =>
    trying(async () => {
      const name = Array.from({ length: 1 + Math.floor(2 * random()) }, () => pick(random, nameParts)).join('')
      await using engine = await createEngine({ backend: 'reference' })
      const { position, mass } = points(5)
      const own = pairPotential(`${name}_i*${name}_j/r`, { inertia: 'mass' })()
      await engine.run(accelerations(own), { position, mass, [name]: mass } as never)
    }),
}

export const text: readonly Fault[] = [hostileText, names, json, snapshots]
