// Random problems for blocks of near points: problems with a cutoff, and problems that keep the nearest sources.

import type { ArrayResults, Device, Plan } from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import { visitsCells } from '../../../packages/backend-webgpu/src/compile/plans/block-plan.ts'
import { fitsCells } from '../../../packages/backend-webgpu/src/design/cell-layout.ts'
import { Dice } from './dice.ts'
import { faultsOf } from './laws.ts'
import { type RandomProblem, randomProblem } from './problem.ts'

const sizes = [{}, { workgroup: 32, targets: 8 }, { targets: 16, unroll: 4 }, { workgroup: 64, targets: 64 }]

/** Sizes for blocks on WebGPU. */
export const blockSizes = (seed: number): NonNullable<Plan['sizes']> => new Dice(seed).pick(sizes)

/** The seeds with problems that blocks can compute: about every fifth. WebGPU puts no points on a line in order: leave them out with `isOnLine`. */
export const seedsByBlocks = (seeds: readonly number[]): readonly number[] =>
  seeds.filter((seed) => {
    const { workload } = randomProblem(seed)
    if (workload.loop !== 'pair' || workload.reduction === 'none') return false
    return workload.domain.cutoff !== undefined || workload.reduction === 'smallest'
  })

/** The seeds with problems that cells can compute: about every fifteenth. */
export const seedsByCells = (seeds: readonly number[]): readonly number[] =>
  seedsByBlocks(seeds).filter((seed) => {
    const { workload, particles } = randomProblem(seed)
    if (workload.loop !== 'pair') return false
    const { shape, bindings } = deviceNumbers(bind(workload, particles), 'f32')
    return visitsCells(workload, shape) && fitsCells(bindings.parameters)
  })

/** How much extremes by cells may differ from those over all pairs: a displacement to an image has another rounding, which a law may amplify. */
export const alikeByCells = 1e-3

/** Sizes for cells on WebGPU. */
export const cellSizes = (seed: number): NonNullable<Plan['sizes']> =>
  new Dice(seed).pick([{}, { workgroup: 32, targets: 8 }, { targets: 16 }, { workgroup: 64, targets: 64 }])

/**
 * The faults of a device by blocks, compared with the reference. Whole numbers, extremes and distances must also equal the results of the
 * loop over all pairs.
 *
 * @param apart the allowed relative difference of extremes and distances, for drivers that compile a law into each shader separately; by
 * default they must be equal to the last bit
 */
export async function blockFaults(
  device: Device,
  problem: RandomProblem,
  plan: Plan,
  allPairs: Plan,
  apart = 0,
): Promise<readonly string[]> {
  const { workload } = problem
  const faults = (await faultsOf(device, problem, { plan })) ?? []
  if (workload.loop !== 'pair' || ['sum', 'logsumexp'].includes(workload.reduction)) return faults
  const [blocks, all] = [await resultsOf(device, problem, plan), await resultsOf(device, problem, allPairs)]
  return [
    ...faults,
    ...Object.entries(all).flatMap(([name, expected]) => differences(name, blocks[name], expected, apart)),
  ]
}

async function resultsOf(device: Device, { workload, particles }: RandomProblem, plan: Plan): Promise<ArrayResults> {
  const { shape, bindings } = deviceNumbers(bind(workload, particles), device.info.precision)
  const program = await device.prepare(workload, shape, plan)
  const results = await program.run(bindings)
  program.dispose()
  return results
}

type Numbers = ArrayResults[string]

function differences(name: string, blocks: Numbers | undefined, all: Numbers, apart: number): readonly string[] {
  if (blocks?.length !== all.length) return [`${name} expected ${all.length} numbers, got ${blocks?.length}`]
  const allowed = all instanceof Float32Array ? apart : 0
  const at = all.findIndex((expected, n) => {
    const got = blocks[n] as number
    return !(Object.is(got, expected) || Math.abs(got - expected) <= allowed * Math.abs(expected))
  })
  return at < 0 ? [] : [`${name}[${at}] expected ${all[at]}, as over all pairs, got ${blocks[at]}`]
}
