// Tests whether the backends are correct on this GPU, with the conformance suite, random laws, blocks of near points, simulations
// and sums with a tolerance: WebGPU with the plans of its model, and WebGL on the driver's own GLES.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { runConformance } from '@manybody/conformance'
import { type Backend, createEngine } from '@manybody/core'
import type { Judge, Judged } from '../../bench/gpu/command.ts'
import { nativeContext } from '../../bench/gpu/native-gles.ts'
import type { JudgedBackend } from '../../bench/src/record.ts'
import { webglGaps } from '../support/gaps.ts'
import { faultsOf } from '../support/random/laws.ts'
import { largeCounts, randomProblem } from '../support/random/problem.ts'
import { everySimulation } from '../support/simulations/every.ts'
import { type JudgedBlocks, judgeBlocks } from './judge-blocks.ts'
import { judgeGrids } from './judge-grids.ts'
import { type JudgedTrees, judgeTrees } from './judge-trees.ts'
import { judgeVectors } from './judge-vectors.ts'

/** Numbers of seeds for random laws: over few points, and over up to 33,000. */
const seeds = { few: 300, many: 40 }
/** Sums with a tolerance, over enough points that a tree is faster on any graphics card. */
const treeRuns = { runs: 27, points: 1e5, seeds: 24 }
/** Numbers of seeds for problems by blocks: together with everything else, and alone. */
const blockSeeds = { all: 300, blocks: 11_000 }
/** Random laws of vectors. */
const vectorSeeds = 30
/** The backend that has blocks, trees and tiles of vectors. */
const withRanges = 'webgpu'

/** Yields a verdict for each backend when it is done, and prints it. */
export const judge: Judge = async function* (signal, what) {
  for await (const one of judgeBackends(signal, what)) {
    for (const line of judgedLines(one)) console.log(line)
    yield one
  }
}

async function* judgeBackends(signal: AbortSignal, what: Judged): AsyncGenerator<JudgedBackend> {
  for (const [name, make] of Object.entries(backends)) {
    if (signal.aborted) return
    if (what !== 'all' && name !== withRanges) continue
    yield await judgeOne(name, make, signal, what).catch((error: unknown): JudgedBackend => {
      return { backend: name, refused: error instanceof Error ? error.message : String(error) }
    })
  }
}

const backends: Readonly<Record<string, () => Backend>> = {
  webgpu: () => webgpu(),
  webgl: () => webgl({ context: nativeContext }),
}

async function judgeOne(name: string, make: () => Backend, signal: AbortSignal, what: Judged): Promise<JudgedBackend> {
  const backend = make()
  const probe = await backend.probe()
  if (!probe.available) return { backend: name, refused: probe.reason }
  const { device } = probe
  const exact = what === 'all' ? await judgeExact(name, backend, signal) : nothing
  if (name !== withRanges) return { backend: name, device, ...exact }
  const blocks = what === 'trees' ? noBlocks : await judgeBlocks(backend, blockSeeds[what], signal)
  const { faults, ...tolerances } = what === 'blocks' ? noTrees : await judgeTrees(backend, treeRuns, signal)
  const all = [...exact.faults, ...blocks.faults, ...faults]
  return { backend: name, device, ...exact, blocks: blocks.problems, tolerances, faults: all }
}

type Verdict = Pick<
  Extract<JudgedBackend, { device: string }>,
  'cases' | 'passed' | 'laws' | 'vectors' | 'grids' | 'simulations' | 'faults'
>

const nothing: Verdict = { cases: 0, passed: 0, laws: { few: 0, many: 0 }, faults: [] }
const noBlocks: JudgedBlocks = { problems: 0, faults: [] }
const noTrees: JudgedTrees = { sums: 0, trees: 0, faults: [] }

/** By the conformance suite, random laws and simulations. */
async function judgeExact(name: string, backend: Backend, signal: AbortSignal): Promise<Verdict> {
  const { results: all, reasons } = await runConformance(backend, name === 'webgl' ? { gaps: webglGaps } : {})
  const results = all.filter(({ outcome }) => outcome !== 'gap')
  const failed = results.filter(({ outcome }) => outcome !== 'passed')
  const faults = [...reasons, ...failed.map((one) => `${one.name}: ${one.faults.join('; ')}`)]
  const laws = { few: 0, many: 0 }
  let judgedGrids = 0
  const device = await backend.open()
  try {
    for (const kind of ['few', 'many'] as const)
      for (let seed = 1; seed <= seeds[kind] && !signal.aborted; seed++) {
        const problem = kind === 'few' ? randomProblem(seed) : randomProblem(seed, largeCounts)
        // A matrix of that many points would fill the memory of the host.
        if (kind === 'many' && 'reduction' in problem.workload && problem.workload.reduction === 'none') continue
        // Half of the problems run the loops of later runs.
        const found = await faultsOf(device, problem, { sample: 24, tuned: seed % 2 === 0 }).catch((error: unknown) => [
          String(error),
        ])
        if (found === undefined) continue
        laws[kind]++
        faults.push(...found.map((fault) => `random law, ${kind} points, seed ${seed}: ${fault}`))
      }
    const { grids, faults: ofGrids } = await judgeGrids(device)
    faults.push(...ofGrids)
    judgedGrids = grids
  } finally {
    device.dispose()
  }
  const ofVectors = name === withRanges ? await judgeVectors(backend, vectorSeeds, signal) : { vectors: 0, faults: [] }
  faults.push(...ofVectors.faults)
  const simulated = await judgeSimulations(backend, signal)
  faults.push(...simulated.faults)
  const counts = {
    cases: results.length,
    passed: results.length - failed.length,
    laws,
    grids: judgedGrids,
    vectors: ofVectors.vectors,
  }
  return { ...counts, simulations: simulated.ran, faults }
}

async function judgeSimulations(backend: Backend, signal: AbortSignal) {
  const engine = await createEngine({ backends: [backend], crossover: false })
  const faults: string[] = []
  let ran = 0
  try {
    for (const [name, run] of everySimulation) {
      if (signal.aborted) break
      ran++
      await run(engine).catch((error: unknown) => faults.push(`${name}: ${error}`))
    }
  } finally {
    engine.dispose()
  }
  return { ran, faults }
}

/** The verdict on a backend: the extent of the tests, and the faults. */
export function judgedLines(judged: JudgedBackend): readonly string[] {
  if ('refused' in judged) return [`${judged.backend} is not judged: ${judged.refused}`]
  const {
    backend,
    device,
    cases,
    passed,
    laws,
    vectors = 0,
    blocks = 0,
    grids = 0,
    simulations = 0,
    tolerances,
    faults,
  } = judged
  const { sums, trees } = tolerances ?? noTrees
  const parts: readonly (readonly [count: number, what: string])[] = [
    [cases, `${passed} of ${cases} cases of the suite`],
    [laws.few + laws.many, `${laws.few + laws.many} random laws (${laws.many} over up to 33,000 points)`],
    [vectors, `${vectors} runs of random laws of vectors`],
    [blocks, `${blocks} problems by blocks`],
    [grids, `${grids} sums through grids`],
    [simulations, `${simulations} simulations`],
    [sums, `${sums} sums with a tolerance (${trees} by a tree)`],
  ]
  const done = parts.flatMap(([count, what]) => (count > 0 ? [what] : []))
  return [
    `${backend} on ${device}: ${[...done, `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`].join(', ')}`,
    ...faults.map((fault) => `  ${fault}`),
  ]
}
