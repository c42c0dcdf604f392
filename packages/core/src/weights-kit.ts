/**
 * The weights of a law that the proxies of far sources add up, for compilers of trees. This is the entry `@manybody/core/weights`.
 *
 * @module
 */
export { deriveTreeFacts } from './methods/tolerance/derive-tree-facts.ts'
export { sourceWeights } from './methods/tolerance/source-weights.ts'
export { weightedWorkload } from './methods/tolerance/weighted.ts'
