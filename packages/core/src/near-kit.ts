/**
 * Near sources: blocks of points, their trees, and how far walks reach. This is the entry `@manybody/core/near`, for backends. Stand-ins for
 * far sources are `@manybody/core/far`.
 *
 * @module
 */

export {
  type BlockTree,
  blockCount,
  blockPoints,
  deepest,
  leastShare,
  nodeBytes,
  nodeCount,
  nodeLinks,
  treeBytes,
} from './methods/ranges/block-tree.ts'
export { nearLengths, nearShareOf, nearTried, nearTries } from './methods/ranges/near-share.ts'
export {
  type ReachOptions,
  type ReachRule,
  reachLine,
  reachOf,
  reachTerms,
  surelyWithin,
} from './methods/ranges/reach.ts'
