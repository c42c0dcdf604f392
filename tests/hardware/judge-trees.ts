// Tests the trees of a backend on this GPU. 99 % of the targets must be within the tolerance, for all laws and sets of points. Trees of
// random laws must be as exact as the processor's at the same setting.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { type Backend, createEngine, type PairWorkload, tree } from '@manybody/core'
import { problemOf } from '../../bench/src/problem.ts'
import { scientific } from '../../bench/src/report/format.ts'
import { extremesOf, trueSums } from '../../bench/src/tree/errors.ts'
import { treeLawNames, treeSetNames, treeTaskOf } from '../../bench/src/tree-tasks.ts'
import { comparedTrees } from '../support/random/trees.ts'

export interface TreeRuns {
  /** Runs with a tolerance. Each takes the next law, set of points and tolerance. */
  readonly runs: number
  readonly points: number
  /** Seeds of random laws over a few thousand points. */
  readonly seeds: number
  readonly tolerances?: readonly number[]
}

export interface JudgedTrees {
  readonly sums: number
  readonly trees: number
  readonly faults: readonly string[]
}

const judgedBy = 512

export async function judgeTrees(backend: Backend, options: TreeRuns, signal: AbortSignal): Promise<JudgedTrees> {
  const faults: string[] = []
  let [sums, trees] = [0, 0]
  const note = (isTree: boolean, found: readonly string[]) => {
    sums++
    if (isTree) trees++
    faults.push(...found)
  }
  await using engine = await createEngine({ backends: [backend] })
  const { tolerances = [1e-2, 1e-3] } = options
  for (let n = 0; n < options.runs && !signal.aborted; n++) {
    const task = tasks[n % tasks.length] as string
    const tolerance = tolerances[n % tolerances.length] as number
    const { particles, ...given } = problemOf({ what: { task }, count: options.points, seed: n + 1 })
    const workload = given.workload as PairWorkload
    const { report, ...results } = await engine.run({ ...workload, method: tree({ tolerance }) }, particles as never)
    const truth = await trueSums(workload, particles, judgedBy)
    const { p99 } = extremesOf(truth.errorsOf(Object.values(results)[0] as unknown as Float32Array))
    const beyond = `${task}, ${options.points} points, tolerance ${tolerance}: 99 % are off by ${scientific(p99)}`
    note(report.evaluated < report.interactions, p99 <= tolerance ? [] : [beyond])
  }
  const [own, processor] = [await backend.open(), await cpuWasm().open({ precision: 'f64' })]
  try {
    for (let seed = 1; seed <= options.seeds && !signal.aborted; seed++) {
      const { fault, share } = await comparedTrees(own, processor, seed)
      note(share < 1, fault === undefined ? [] : [`random law with a tolerance, seed ${seed}: ${fault}`])
    }
  } finally {
    for (const device of [own, processor]) device.dispose()
  }
  return { sums, trees, faults }
}

/** Combines laws and sets so that even few runs cover many of both. */
const tasks = treeSetNames
  .flatMap((_, shift) =>
    treeLawNames.map((law, n) => `${law} in ${treeSetNames[(n + shift) % treeSetNames.length] as string}`),
  )
  .filter((task) => treeTaskOf(task, 1) !== undefined)
