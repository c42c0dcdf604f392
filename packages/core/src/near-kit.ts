/**
 * Near sources: how far walks reach, and the share of all pairs that is near. This is the entry `@manybody/core/near`, for backends. Blocks of
 * points are in `@manybody/core/backend`, stand-ins for far sources in `@manybody/core/far`.
 *
 * @module
 */

export { nearLengths, nearShareOf, nearTried, nearTries } from './methods/ranges/near-share.ts'
export {
  type ReachOptions,
  type ReachRule,
  reachLine,
  reachOf,
  reachTerms,
  surelyWithin,
} from './methods/ranges/reach.ts'
