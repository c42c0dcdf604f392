// Tests the trees of a backend on this GPU. 99 % of the targets must be within the tolerance, for all laws and sets of points. Trees of
// random laws must be as exact as the processor's at the same setting.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { type Backend, createEngine, type Particles, tree } from '@manybody/core'
import { scientific } from '../../bench/src/report/format.ts'
import { readBy, sourcesOf } from '../../bench/src/tree/campaign.ts'
import { extremesOf, trueSums } from '../../bench/src/tree/errors.ts'
import { spatial, treeLaws } from '../../bench/src/tree/laws.ts'
import { treeSets } from '../../bench/src/tree-points.ts'
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
    const [law, set] = casesOf[n % casesOf.length] as readonly [string, string]
    const tolerance = tolerances[n % tolerances.length] as number
    const [workload, place] = [treeLaws[law]?.(), treeSets[set]]
    if (!workload || !place) throw new Error(`no ${law} in ${set}`)
    const arrays = Object.entries(readBy(workload, sourcesOf(place, options.points, n + 1)))
    const singles = Object.fromEntries(arrays.map(([name, array]) => [name, Float32Array.from(array)]))
    const particles = { ...singles, dimension: place.dimension } as unknown as Particles
    const { report, ...results } = await engine.run({ ...workload, method: tree({ tolerance }) }, particles as never)
    const truth = await trueSums(workload, particles, judgedBy)
    const { p99 } = extremesOf(truth.errorsOf(Object.values(results)[0] as unknown as Float32Array))
    const beyond = `${law} in ${set}, ${options.points} points, tolerance ${tolerance}: 99 % are off by ${scientific(p99)}`
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
const casesOf: readonly (readonly [law: string, set: string])[] = pairsOf(
  Object.keys(treeLaws),
  Object.keys(treeSets),
).filter(([law, set]) => treeSets[set]?.dimension === 3 || !spatial.includes(law))

function pairsOf(laws: readonly string[], sets: readonly string[]): readonly (readonly [string, string])[] {
  return sets.flatMap((_, shift) => laws.map((law, n) => [law, sets[(n + shift) % sets.length] as string] as const))
}
