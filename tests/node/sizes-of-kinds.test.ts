// Cutoffs that read tables on one engine, for laws and runs with other tables: the same pairs count as without lists.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { accelerations, createEngine, pairForce, pairTerm, sum, type TableInput } from '@manybody/core'
import { afterAll, expect, test } from 'vitest'
import { randomOf } from '../../packages/conformance/src/random.ts'

const engine = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
afterAll(() => engine.dispose())

const [count, edge] = [2000, 10]
const random = randomOf(5)
const position = random.array(3 * count, 0, edge)
const part = random.array(count, 0, 1)

/** The pairs of points nearer than a distance for each. */
function pairsWithin(reachOf: (i: number, j: number) => number): number {
  let pairs = 0
  const at = (i: number, axis: number) => position[3 * i + axis] as number
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const reach = reachOf(i, j)
      if (i !== j && [0, 1, 2].reduce((r2, axis) => r2 + (at(i, axis) - at(j, axis)) ** 2, 0) < reach ** 2) pairs++
    }
  return pairs
}

/** @param ofRun tables that a run brings */
async function counted(
  cutoff: string,
  tables: Readonly<Record<string, TableInput>>,
  kinds: Readonly<Record<string, Float64Array>>,
  ofRun?: Readonly<Record<string, TableInput>>,
): Promise<number> {
  const workload = sum(pairTerm('1', { tables })(), { cutoff })
  const { value } = await engine.run(workload, { position, ...kinds }, { ...(ofRun && { tables: ofRun }) })
  return value.reduce((all, one) => all + one, 0)
}

const kindsOf = (kinds: number) => part.map((x) => Math.floor(kinds * x))

// Laws with few and with many kinds, in either order.
test.each([3, 30, 3, 70, 8, 9])('each law has its own number of kinds: %d', async (kinds) => {
  const size = Array.from({ length: kinds }, (_, n) => 0.1 + (0.7 * (n + 1)) / kinds)
  const kind = kindsOf(kinds)
  const sizeOf = (i: number) => size[kind[i] as number] as number
  expect(await counted('size[kind_i] + size[kind_j]', { size }, { kind })).toBe(
    pairsWithin((i, j) => sizeOf(i) + sizeOf(j)),
  )
})

const among = [
  [0.3, 0.5],
  [0.6, 1.5],
]
const symmetric = [
  [0.4, 0.5],
  [0.5, 1.5],
]

test('a run may bring a symmetric table to a law with another', async () => {
  const kind = kindsOf(2)
  const within = (table: number[][]) => pairsWithin((i, j) => table[kind[i] as number]?.[kind[j] as number] as number)
  const runs = [undefined, symmetric, among]
  const pairs: number[] = []
  for (const table of runs)
    pairs.push(await counted('reach[kind_i, kind_j]', { reach: among }, { kind }, table && { reach: table }))
  expect(pairs).toEqual([within(among), within(symmetric), within(among)])
})

test('a run may bring a symmetric table to a law with more columns than rows', async () => {
  const [kind, colour] = [kindsOf(2), kindsOf(2).reverse()]
  const wide = among.map((row) => [...row, 1])
  const pairs = await counted('reach[kind_i, colour_j]', { reach: wide }, { kind, colour }, { reach: symmetric })
  expect(pairs).toBe(pairsWithin((i, j) => symmetric[kind[i] as number]?.[colour[j] as number] as number))
})

test('a simulation may change to a symmetric table', async () => {
  const law = pairForce('exp(-r2)*(1 + 0*reach[kind_i, kind_j])/r', { tables: { reach: among }, inertia: 'mass' })()
  const particles = { position, kind: kindsOf(2), mass: new Float64Array(count).fill(1) }
  const cutoff = 'reach[kind_i, kind_j]'
  const simulation = await engine.simulate({ forces: [{ law, cutoff }], particles, dt: 1e-9 })
  await simulation.set({ tables: { reach: symmetric } })
  await simulation.step(1)
  const { acceleration } = await engine.run(accelerations(law, { cutoff }), particles, { tables: { reach: symmetric } })
  const moved = await simulation.read('acceleration')
  simulation.dispose()
  expect(Math.max(...acceleration.map((a, n) => Math.abs(a - (moved[n] as number))))).toBeLessThan(1e-5)
})
