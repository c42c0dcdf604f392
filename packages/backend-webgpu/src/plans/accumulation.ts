/**
 * Which error bound the sums of a loop keep, given the lengths of its chains of additions.
 *
 * @module
 */
import type { Report } from '@manybody/core'

/** Terms per block in the bound of `block`. */
const blockTerms = 256

/**
 * `block` if its bound holds, otherwise `running`, the bound of one chain.
 *
 * @param chain the most terms that are added one after the other before the sums of such chains are added
 * @param chains the number of such chains
 */
export function accumulationOf(
  chain: number,
  sources: number,
  chains: number = sources / chain,
): Report['accumulation'] {
  const most = Math.max(blockTerms, sources / blockTerms)
  return chains > 1 && chain <= most && chains <= most ? 'block' : 'running'
}
