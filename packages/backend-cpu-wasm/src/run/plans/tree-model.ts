/**
 * From when on a tree is faster than all pairs.
 *
 * @module
 */
/**
 * What a tree costs, in pairs of the loop over all pairs: a pair, and a target besides its pairs. `once` is what a pair costs if each
 * is visited once.
 */
export const treeModel = { pair: 1.85, target: 600, once: 0.65, record: 'docs/notes/cpu-wasm.md' } as const

/** The share of all pairs below which a tree is faster. */
export function treeShare(sources: number, visitsOnce: boolean): number {
  const { pair, target, once } = treeModel
  return Math.max(0, (sources * (visitsOnce ? once : 1) - target) / (pair * sources))
}
