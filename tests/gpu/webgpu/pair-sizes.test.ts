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

const one = pairTerm('1', { parameters: { k: 1.5 } })()
const box = (dimension: number): DomainOptions => ({ boundary: periodic([1.2, 1, 1.1].slice(0, dimension)) })

describe.each([
  ['radius_i + radius_j', 2, 'open space'],
  ['k*(radius_i + radius_j)', 3, 'a box'],
  ['1.5*radius_j', 3, 'open space'],
  ['k*max(radius_i, other_j)', 2, 'a box'],
  ['sqrt(radius_i*radius_j) - 0.1*other_j', 2, 'open space'],
] as const)('within %s in %d-D in %s', (cutoff, dimension, where) => {
  const workload = sum(one, { ...(where === 'a box' && box(dimension)), cutoff })
  const points = circles(1500, dimension, 71)
  test('the same pairs count, also when points grow', async () => {
    const larger = { ...points, radius: points.radius.map((r) => (r < 0.1 ? 3 * r : r)) }
    const blocks = await resultsBy('blocks', workload, points, larger, points)
    expect(blocks.results).toEqual((await resultsBy('naive', workload, points, larger, points)).results)
    expect(blocks.evaluated).toBeLessThan(0.9)
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
  const { other: _, ...some } = few
  expect((await resultsBy('blocks', lists, some)).results).toEqual((await resultsBy('naive', lists, some)).results)
  const workload = countWithin('radius_i + radius_j')
  const rare = { ...points, radius: points.radius.map((r, n) => (n % 1000 === 0 ? 0.2 : Math.min(r, 0.01))) }
  // Without sizes, each point meets all within 0.4, about a third of the square.
  expect((await resultsBy('blocks', workload, rare)).evaluated).toBeLessThan(0.1)
})
