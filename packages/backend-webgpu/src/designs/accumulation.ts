/**
 * Which bound the sums of a loop keep, from the lengths of its chains of additions.
 *
 * @module
 */
import type { Report } from '@manybody/core'

/** Terms of a block in the bound that `block` stands for. */
const blockTerms = 256

/**
 * Block sums where the bound of blocks holds for them, else one chain.
 *
 * @param chain terms that are added one after the other before sums of such chains are
 */
export function accumulationOf(chain: number, sources: number): Report['accumulation'] {
  const chains = sources / chain
  const most = Math.max(blockTerms, sources / blockTerms)
  return chains > 1 && chain <= most && chains <= most ? 'block' : 'running'
}
