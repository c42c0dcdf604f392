// Random laws over links between all pairs give the sums over all pairs, and stay within the bounds of `verify` in both precisions.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  type Attributes,
  createEngine,
  type Engine,
  type LinkReduction,
  type LinkWorkload,
  overLinks,
  type PairWorkload,
} from '@manybody/core'
import { afterAll, expect, test } from 'vitest'
import { type RandomProblem, randomProblem, seeds } from '../../support/random/problem.ts'
import { randomVectors } from '../../support/random/vectors.ts'

const engines = await Promise.all(
  (['f32', 'f64'] as const).map((precision) => createEngine({ backends: [cpuWasm()], precision })),
)
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

/** The reduction over links that gives the results of a workload over pairs; undefined if there is none. */
function reductionOf({ results, reduction, law }: PairWorkload): LinkReduction | undefined {
  if (law.functions) return undefined
  const [name = ''] = results
  if (['force', 'acceleration', 'potential', 'energy', 'virial'].includes(name)) return name as LinkReduction
  return name === 'value' && ['sum', 'min', 'max', 'logsumexp'].includes(reduction) ? (reduction as 'sum') : undefined
}

/** The problem with all pairs as links; undefined if no law for links gives the same. */
function asLinks({ workload, particles }: RandomProblem) {
  if (workload.loop !== 'pair' || 'targets' in particles || 'field' in particles) return undefined
  const reduction = reductionOf(workload)
  const {
    position,
    dimension = 3,
    count = Number(position?.length) / Number(dimension),
  } = particles as {
    readonly [Name in 'position']?: Float64Array
  } & { readonly [Name in 'dimension' | 'count']?: number }
  if (reduction === undefined || count > 40) return undefined
  const { boundary } = workload.domain
  // The pairs of a triclinic box need a cutoff, and links have none.
  if (boundary.kind === 'periodic' && boundary.tilts) return undefined
  const bonds = Array.from({ length: count }, (_, a) => a).flatMap((a) =>
    Array.from({ length: a }, (_, b): [number, number] => [a, b]),
  )
  // Energies and virials of links are totals.
  const total = workload.total || reduction === 'energy' || reduction === 'virial'
  const pairs: PairWorkload = { ...workload, total, domain: { self: 'exclude', boundary, exclusions: [] } }
  return { pairs, linked: overLinks(reduction, { law: workload.law, bonds, boundary }), particles }
}

/** Problems of one set of points with a law for links, of numbers and of vectors. */
const problems = seeds(120).flatMap((seed) => {
  const vectors = randomVectors(seed)
  return [randomProblem(seed), ...(vectors.divided ? [] : [vectors])].flatMap((problem) => {
    const links = asLinks(problem)
    return links ? [{ seed, of: problem === vectors ? 'vectors' : 'numbers', ...links }] : []
  })
})

test.each(problems)('seed $seed, $of', async ({ pairs, linked, particles }) => {
  for (const engine of engines) {
    const { ok, worst } = await engine.verify(linked as LinkWorkload, particles as Attributes)
    expect(ok, JSON.stringify(worst)).toBe(true)
  }
  const exact = engines[1] as Engine<'f64'>
  const { report: _, ...found } = await exact.run(linked as LinkWorkload, particles as Attributes)
  const { report: _of, ...expected } = await exact.run(pairs, particles)
  for (const [name, numbers] of Object.entries(expected)) {
    const wanted = listed(numbers)
    const scale = Math.max(1, ...wanted.filter(Number.isFinite).map(Math.abs))
    const close = wanted.map((x) => (Number.isFinite(x) ? expect.closeTo(x, 8 - Math.log10(scale)) : x))
    expect(listed(found[name] as typeof numbers), name).toEqual(close)
  }
})

const listed = (numbers: number | ArrayLike<number>): number[] =>
  typeof numbers === 'number' ? [numbers] : Array.from(numbers)
