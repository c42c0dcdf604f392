/**
 * The door to the parts of methods and reports that every backend loads at once, for code that loads on demand.
 * `problem/loaded-at-once.ts` tells why.
 *
 * @module
 */

export { accumulationIn, reportAfter, reportOf } from '../contract/fill-report.ts'
export { boxStride } from './ranges/block-tree.ts'
export { lengthOf, type RunRanges, runRanges } from './ranges/run-ranges.ts'
export { pairsIn, rangesWithin } from './ranges/source-ranges.ts'
