/**
 * The door to the loops of plain sums, which the first law loads, for code that loads on demand: through it, all such code imports the same
 * set. `problem/loaded-at-once.ts` in core tells why.
 *
 * @module
 */

export { sumFoldOf } from '../folds/sum-fold.ts'
export { combine } from '../loops/combine.ts'
export { pairTexts } from '../parts/pair-texts.ts'
export { writtenLoops } from './pair-loops.ts'
export { pairProblem, resultRules } from './pair-problem.ts'
