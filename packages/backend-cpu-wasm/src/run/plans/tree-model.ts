/**
 * Decides when a tree is faster than all pairs.
 *
 * @module
 */
/**
 * The cost of a tree, in pairs of the loop over all pairs: `pair` for a pair, and `target` for a target besides its pairs.
 * `once` is the cost of a pair that is visited once.
 */
export const treeModel = { pair: 1.85, target: 600, once: 0.65, record: 'docs/notes/cpu-wasm.md' } as const

/** The share of all pairs below which a tree is faster. */
export function treeShare(sources: number, visitsOnce: boolean): number {
  const { pair, target, once } = treeModel
  return Math.max(0, (sources * (visitsOnce ? once : 1) - target) / (pair * sources))
}
