/**
 * The error bound that the sums of a loop keep, given the lengths of its chains of additions.
 *
 * @module
 */
import type { Report } from '@manybody/core'
import { type LoopShape, tileLength, tilesPerSum } from '../design/loop-shape.ts'

/** Terms per block in the bound of `block`. */
const blockTerms = 256

/**
 * `block` if its bound holds, otherwise `running`, the bound of one chain.
 *
 * @param chain the most terms that are added one after the other in a chain
 * @param chains the number of such chains, which are added afterwards
 */
export function accumulationOf(
  chain: number,
  sources: number,
  chains: number = sources / chain,
): Report['accumulation'] {
  const most = Math.max(blockTerms, sources / blockTerms)
  return chains > 1 && chain <= most && chains <= most ? 'block' : 'running'
}

/** Terms that the loop over cells adds one after the other. There are as many such sums as a sum of blocks may have. */
export const sumLength = (sources: number): number => Math.max(blockTerms, Math.ceil(sources / blockTerms))

/** In the loop over blocks, the most terms of a target that one invocation adds one after the other, and the number of such sums. */
export const blockChains = (
  { workgroup, slices }: LoopShape,
  sources: number,
): readonly [chain: number, chains: number] => [
  (tilesPerSum(workgroup) * tileLength(workgroup)) / slices,
  sources / (tilesPerSum(workgroup) * workgroup),
]
