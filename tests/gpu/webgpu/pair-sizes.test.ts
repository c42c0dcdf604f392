// Cutoffs of pairs by blocks on the software GPU: each pair is looked for as far as the sizes of its points. The same pairs count as among all.

import { webgpu } from '@manybody/backend-webgpu'
import {
  countWithin,
  type DomainOptions,
  neighborsWithin,
  type PairWorkload,
  type Particles,
  pairTerm,
  periodic,
  sum,
} from '@manybody/core'
import { usualCutoff } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { randomOf } from '../../../packages/conformance/src/random.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

/** Points in a cube of edge 1, of which few are large. */
function circles(points: number, dimension: 2 | 3, seed: number) {
  const random = randomOf(seed)
  return {
    dimension,
    position: random.array(dimension * points, 0, 1),
    radius: random.array(points, 0, 1).map((x) => (x < 0.01 ? 0.16 : 0.03 * 1000 ** -x)),
    other: random.array(points, 0, 1).map((x) => (x < 0.2 ? 0 : 0.02 * x)),
    kind: random.array(points, 0, 1).map((x) => (x < 0.01 ? 2 : Number(x < 0.5))),
  }
}

async function resultsBy(variant: string, workload: PairWorkload, ...runs: readonly Particles[]) {
  const { shape } = bind(workload, runs[0] as Particles)
  const program = await device.prepare(workload, shape, { variant })
  const results = []
  for (const particles of runs) results.push(await program.run(bind(workload, particles).bindings))
  const { report } = program
  program.dispose()
  return { results, evaluated: (report.evaluated ?? report.interactions) / report.interactions }
}

/** The share of pairs that blocks meet if all points look as far as the longest reach. */
async function evaluatedByLongest(workload: PairWorkload, particles: Particles) {
  const { shape, bindings } = bind(workload, particles)
  const { [usualCutoff]: _, ...parameters } = bindings.parameters
  const program = await device.prepare(workload, shape, { variant: 'blocks' })
  await program.run({ ...bindings, parameters })
  const { report } = program
  program.dispose()
  return (report.evaluated ?? report.interactions) / report.interactions
}

const reach = [
  [0.02, 0.05, 0.15],
  [0.05, 0.01, 0.2],
  [0.15, 0.2, 0.3],
]
const one = pairTerm('1', { parameters: { k: 1.5 }, tables: { size: [0.01, 0.02, 0.16], reach } })()
const box = (dimension: number): DomainOptions => ({ boundary: periodic([1.2, 1, 1.1].slice(0, dimension)) })

describe.each([
  ['radius_i + radius_j', 2, 'open space'],
  ['k*(radius_i + radius_j)', 3, 'a box'],
  ['1.5*radius_j', 3, 'open space'],
  ['k*max(radius_i, other_j)', 2, 'a box'],
  ['sqrt(radius_i*radius_j) - 0.1*other_j', 2, 'open space'],
  ['size[kind_i] + k*size[kind_j]', 3, 'open space'],
  ['reach[kind_i, kind_j]', 2, 'a box'],
] as const)('within %s in %d-D in %s', (cutoff, dimension, where) => {
  const workload = sum(one, { ...(where === 'a box' && box(dimension)), cutoff })
  const points = circles(1500, dimension, 71)
  test('the same pairs count, also when points grow', async () => {
    const larger = { ...points, radius: points.radius.map((r) => (r < 0.1 ? 3 * r : r)) }
    const blocks = await resultsBy('blocks', workload, points, larger, points)
    expect(blocks.results).toEqual((await resultsBy('naive', workload, points, larger, points)).results)
    expect(blocks.evaluated).toBeLessThan(0.9 * (await evaluatedByLongest(workload, points)))
  })

  test('two sets have sizes of their own', async () => {
    const particles = { targets: circles(333, dimension, 72), sources: points }
    const blocks = await resultsBy('blocks', workload, particles)
    expect(blocks.results).toEqual((await resultsBy('naive', workload, particles)).results)
  })
})

test('lists are complete, and few large points do not make the others meet all', async () => {
  const points = circles(8000, 2, 73)
  const lists = neighborsWithin('radius_i + radius_j')
  const few = { ...points, position: points.position.slice(0, 3000), radius: points.radius.slice(0, 1500) }
  const { other: _, kind: _kind, ...some } = few
  expect((await resultsBy('blocks', lists, some)).results).toEqual((await resultsBy('naive', lists, some)).results)
  const workload = countWithin('radius_i + radius_j')
  const rare = { ...points, radius: points.radius.map((r, n) => (n % 1000 === 0 ? 0.2 : Math.min(r, 0.01))) }
  // Without sizes, each point meets all within 0.4, about a third of the square.
  expect((await resultsBy('blocks', workload, rare)).evaluated).toBeLessThan(0.1)
})

/** Points in a cube of edge 10, of which every hundredth is large. */
function rarelyLarge() {
  const points = 1500
  const random = randomOf(74)
  return {
    position: random.array(3 * points, 0, 10),
    radius: Float64Array.from({ length: points }, (_, n) => (n % 100 ? 0.2 : 1.4)),
    q: random.array(points, -2, -1),
    big: new Float64Array(points).fill(1e20),
    small: Float64Array.from({ length: points }, (_, n) => 1e-20 * (n % 100 ? 5 : 17)),
  }
}

test.each([
  // Each parameter is beyond float32.
  ['h*h/(m*e)*(radius_i + radius_j)', { h: 6.6e-34, m: 1e-26, e: 4.3e-41 }, true],
  // No pair reaches as far as a branch that has no value.
  ['min(radius_i + radius_j, sqrt(q_j))', {}, false],
  ['min(3.5, select(q_j > 0, radius_i + sqrt(q_j), radius_i + radius_j))', {}, false],
  ['radius_i + radius_j + z*big_i*big_j', { z: 0 }, true],
  // Squares of float32 underflow.
  ['k*small_i*small_j', { k: 1e38 }, true],
] as const)('the same pairs count within %s', async (cutoff, parameters, bySizes) => {
  const { position, ...attributes } = rarelyLarge()
  const used = Object.entries(attributes).filter(([name]) => cutoff.includes(`${name}_`))
  const particles = { position, ...Object.fromEntries(used) } as Particles
  const workload = countWithin(cutoff, { parameters: { ...parameters } })
  const blocks = await resultsBy('blocks', workload, particles)
  expect(blocks.results).toEqual((await resultsBy('naive', workload, particles)).results)
  const [{ count }] = blocks.results as unknown as [{ count: Uint32Array }]
  expect(count.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(200)
  const longest = await evaluatedByLongest(workload, particles)
  if (bySizes) expect(blocks.evaluated).toBeLessThan(0.9 * longest)
  else expect(blocks.evaluated).toBe(longest)
})

test.each(['one set', 'two sets'])(
  'sizes of more attributes than a device binds arrays count the same pairs, in %s',
  async (sets) => {
    const { position, radius } = rarelyLarge()
    const names = Array.from({ length: 12 }, (_, n) => `part${n}`)
    const attributes = Object.fromEntries(names.map((name) => [name, radius.map((r) => r / 6)]))
    const points = { position, ...attributes }
    const particles = sets === 'one set' ? points : { targets: points, sources: points }
    const workload = countWithin(names.map((name, n) => `${name}_${n % 2 ? 'i' : 'j'}`).join(' + '))
    const blocks = await resultsBy('blocks', workload, particles)
    expect(blocks.results).toEqual((await resultsBy('naive', workload, particles)).results)
    expect(blocks.evaluated).toBeLessThan(0.9 * (await evaluatedByLongest(workload, particles)))
  },
)

test('no pair is lost if a radius is not a number and its cutoff is one', async () => {
  const { position, radius } = rarelyLarge()
  const workload = countWithin('select(radius_j > 0, radius_i + radius_j, 1.4)')
  const { bindings, shape } = bind(workload, { position, radius })
  const broken = Float32Array.from(radius, (r, n) => (n % 50 === 7 ? Number.NaN : r))
  const set = { ...bindings.targets, arrays: { ...bindings.targets.arrays, radius: broken } }
  const [blocks, naive] = await Promise.all(
    ['blocks', 'naive'].map(async (variant) => {
      const program = await device.prepare(workload, shape, { variant })
      const { count } = await program.run({ ...bindings, targets: set, sources: set })
      program.dispose()
      return count
    }),
  )
  expect(blocks).toEqual(naive)
})
