/**
 * The door to the code that loads and places every program, for code that loads on demand: through it, all such code imports the same set.
 * `problem/loaded-at-once.ts` in core tells why.
 *
 * @module
 */

export { HeldArray } from '../host/held-array.ts'
export { Placement } from '../placement/placement.ts'
export { Regions } from '../placement/regions.ts'
export { onThisThread } from '../threads/job.ts'
export { load } from './load.ts'
