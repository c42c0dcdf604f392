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
import { randomProblem, seeds } from '../../support/random/problem.ts'

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

/** Problems of one set of points with a law for links. */
const problems = seeds(120).flatMap((seed) => {
  const { workload, particles } = randomProblem(seed)
  if (workload.loop !== 'pair' || !('position' in particles)) return []
  const reduction = reductionOf(workload)
  const count = (particles.position as Float64Array).length / Number(particles.dimension ?? 3)
  if (reduction === undefined || count > 40) return []
  const { boundary } = workload.domain
  // The pairs of a triclinic box need a cutoff, and links have none.
  if (boundary.kind === 'periodic' && boundary.tilts) return []
  const bonds = Array.from({ length: count }, (_, a) => a).flatMap((a) =>
    Array.from({ length: a }, (_, b): [number, number] => [a, b]),
  )
  const pairs: PairWorkload = { ...workload, domain: { self: 'exclude', boundary, exclusions: [] } }
  return [{ seed, pairs, linked: overLinks(reduction, { law: workload.law, bonds, boundary }), particles }]
})

test.each(problems)('seed $seed', async ({ pairs, linked, particles }) => {
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
