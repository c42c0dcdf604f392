/**
 * The cost of a tolerance on the processor, compared with all pairs. Calls are whole calls of an engine, including the measurement of the
 * error. The judged targets are not the ones that determined the setting. Rivals are judged by the same targets.
 */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, type Engine, type PairWorkload, type Particles, tree } from '@manybody/core'
import { d3Force, ngraph } from '../../thirdparty/trees.ts'
import type { Contender } from '../contender.ts'
import { problemOf } from '../problem.ts'
import { type TreeSet, treePoints, treeWeights } from '../tree-points.ts'
import { readBy, sourcesOf } from './campaign.ts'
import { extremesOf, trueSums } from './errors.ts'

export interface CostRow {
  readonly law: string
  readonly set: string
  readonly points: number
  /** The contender: `cpu-wasm`, or a rival. */
  readonly who: string
  /** The setting, by its name in the report; `all pairs` if these were faster. */
  readonly variant: string
  /** The requested tolerance; absent for rivals, which have an opening angle. */
  readonly tolerance?: number
  /** Milliseconds of a whole call, the fastest of a few. */
  readonly time: number
  /** Milliseconds of the first call, which finds the setting. */
  readonly first?: number
  /** How many times as long all pairs take on the same threads. For many points, it is extrapolated from fewer. */
  readonly faster: number
  /** Pairs computed for each target, if they are counted. */
  readonly pairs?: number
  /** The 99th percentile and the largest of the errors of 512 targets. */
  readonly p99: number
  readonly largest: number
}

export interface CostOptions {
  readonly law: string
  readonly workload: PairWorkload
  readonly set: string
  readonly place: TreeSet
  readonly points: number
  readonly seed: number
  readonly tolerances: readonly number[]
  readonly threads?: number | undefined
  /** Whether rivals take part. */
  readonly rivals: boolean
}

/** The most points for which all pairs are timed. */
const mostAllPairs = 32768
const judgedBy = 512
/** Calls are repeated until they have taken this many milliseconds, but at most this often. */
const [enough, mostCalls] = [1500, 5]

/** One row for each tolerance, and one for each setting of a rival that knows the law. */
export async function* costOf(options: CostOptions): AsyncGenerator<CostRow> {
  const { law, workload, set, place, points, seed, tolerances, threads } = options
  const particles = particlesOf(workload, place, points, seed)
  const timed = Math.min(points, mostAllPairs)
  const about = { law, set, points }
  await using engine = await createEngine({ backends: [cpuWasm()], ...(threads && { threads }) })
  const some = timed < points ? particlesOf(workload, place, timed, seed) : particles
  await engine.run(workload, some as never)
  const all = (await fastest(() => engine.run(workload, some as never))).time * (points / timed) ** 2
  for (const tolerance of tolerances) {
    const row = await rowOf(engine, { ...workload, method: tree({ tolerance }) } as PairWorkload, particles)
    yield { ...about, who: 'cpu-wasm', tolerance, ...row, faster: all / row.time }
  }
  for (const rival of options.rivals ? rivalsOf(law, place) : [])
    yield { ...about, ...(await rivalRow(rival, options, all)) }
}

async function rowOf(engine: Engine, workload: PairWorkload, particles: Particles) {
  const began = performance.now()
  await engine.run(workload, particles as never)
  const first = performance.now() - began
  const { time, result } = await fastest(() => engine.run(workload, particles as never))
  const { report, ...results } = result as { report: { variant: string; evaluated: number; interactions: number } }
  const sums = Object.values(results)[0] as unknown as Float32Array
  const { method: _, ...exact } = workload
  const truth = await trueSums(exact as PairWorkload, particles, judgedBy)
  const [, setting = 'all pairs'] = /^tree \(([^)]*)\)/.exec(report.variant) ?? []
  const count = Math.sqrt(report.interactions)
  return { variant: setting, time, first, pairs: report.evaluated / count, ...extremesOf(truth.errorsOf(sums)) }
}

function particlesOf(workload: PairWorkload, place: TreeSet, points: number, seed: number): Particles {
  const arrays = Object.entries(readBy(workload, sourcesOf(place, points, seed)))
  const single = arrays.map(([name, array]) => [name, Float32Array.from(array)] as const)
  return { ...Object.fromEntries(single), dimension: place.dimension } as never
}

interface Rival {
  readonly theta: number
  readonly law: string
  readonly contender: Contender
}

/** Barnes-Hut trees in JavaScript, for the laws that they know. */
function rivalsOf(law: string, { dimension }: TreeSet): readonly Rival[] {
  if (law === 'layout' && dimension === 2)
    return [0.9, 0.5, 0.3].map((theta) => ({ theta, law: 'planar-gravity', contender: d3Force(theta) }))
  if (law === 'gravity' && dimension === 3)
    return [0.8, 0.5].map((theta) => ({ theta, law: 'point-gravity', contender: ngraph(theta) }))
  return []
}

async function rivalRow({ theta, law, contender }: Rival, { place, points, seed }: CostOptions, all: number) {
  const { dimension } = place
  const arrays = { position: [...treePoints(place, points, seed)], mass: [...treeWeights(place, points, seed + 2)] }
  const problem = problemOf({ what: { law }, count: points, seed, points: { name: 'points', dimension, arrays } })
  const entry = await contender.prepare(problem)
  const { time } = await fastest(() => entry.run())
  const sums = Object.values(await entry.results())[0] as ArrayLike<number>
  const truth = await trueSums(problem.workload as PairWorkload, problem.particles, judgedBy)
  entry.dispose()
  return {
    who: entry.who.name,
    variant: `theta ${theta}`,
    time,
    faster: all / time,
    ...extremesOf(truth.errorsOf(sums)),
  }
}

/** The fastest call of a few, and the results of the last one. */
async function fastest<T>(call: () => Promise<T>): Promise<{ readonly time: number; readonly result: T }> {
  const began = performance.now()
  let time = Number.POSITIVE_INFINITY
  for (let n = 1; ; n++) {
    const start = performance.now()
    const result = await call()
    const end = performance.now()
    time = Math.min(time, end - start)
    if (n >= mostCalls || end - began > enough) return { time, result }
  }
}
