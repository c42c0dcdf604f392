/**
 * Code that engines load on demand: the check of a run against the reference, the reason why a result is not finite, the ranges
 * that a run may give, and sums that are vectors. They share code, so they load together.
 *
 * @module
 */

export { prepareRanged } from '../methods/ranges/each-range.ts'
export { withRanges } from '../methods/ranges/given-ranges.ts'
export { componentBlock } from '../problem/workloads/component-blocks.ts'
export { runInBlocks, verifyInBlocks } from './calls/in-blocks.ts'
export { describedStray } from './results/described-stray.ts'
export { verify } from './verify.ts'
