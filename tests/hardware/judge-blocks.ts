// Tests loops over near points on this GPU: random problems with a cutoff, and the nearest, by blocks and by cells, against the reference
// and the loop over all pairs; and Verlet lists of points that move.

import type { Backend } from '@manybody/core'
import {
  alikeByCells,
  blockFaults,
  blockSizes,
  cellSizes,
  seedsByBlocks,
  seedsByCells,
} from '../support/random/blocks.ts'
import { farFaults } from '../support/random/far-points.ts'
import { isOnLine, randomProblem } from '../support/random/problem.ts'
import { verletFaults } from '../support/random/verlet-lists.ts'

export interface JudgedBlocks {
  readonly problems: number
  readonly faults: readonly string[]
}

/** Four units in the last place: a driver may join a product and a sum in one shader and not in the other. */
const apart = 4 * 2 ** -23
/** How many problems run at a time. Compiling takes nearly all of the time, and drivers compile in parallel. */
const lanes = 16
/** Problems with Verlet lists. */
const lastingSeeds = 40

/** @param seeds how many seeds to try; blocks can compute about every fifth */
export async function judgeBlocks(backend: Backend, seeds: number, signal: AbortSignal): Promise<JudgedBlocks> {
  const all = Array.from({ length: seeds }, (_, n) => n + 1)
  const waiting = [
    ...seedsByBlocks(all)
      .filter((seed) => !isOnLine(seed))
      .map((seed) => ({ seed, variant: 'blocks', sizes: blockSizes(seed), alike: apart })),
    ...seedsByCells(all).map((seed) => ({ seed, variant: 'cells', sizes: cellSizes(seed), alike: alikeByCells })),
  ]
  const faults: string[] = []
  let problems = 0
  const device = await backend.open()
  const work = async () => {
    for (let one = waiting.shift(); one && !signal.aborted; one = waiting.shift()) {
      const { seed, alike, ...plan } = one
      const found = await blockFaults(device, randomProblem(seed), plan, { variant: 'naive' }, alike).catch(
        (error: unknown) => [String(error)],
      )
      problems++
      faults.push(...found.map((fault) => `${plan.variant}, seed ${seed}: ${fault}`))
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, work))
    faults.push(...(await farFaults(device)))
    for (let seed = 1; seed <= lastingSeeds && !signal.aborted; seed++, problems++) {
      const found = await verletFaults(device, seed).catch((error: unknown) => [String(error)])
      faults.push(...found.map((fault) => `Verlet lists, seed ${seed}: ${fault}`))
    }
  } finally {
    device.dispose()
  }
  return { problems, faults }
}
