/**
 * The door to the parts of plain sums, which the first law loads, for code that loads on demand: through it, all such code imports the same
 * set. `problem/loaded-at-once.ts` in core tells why.
 *
 * @module
 */

export { isInstruction } from '../expressions/function-names.ts'
export { sumOf } from '../folds/sum.ts'
export { vectorOf } from '../wasm/vector.ts'
export { pairProgram } from './pair-program.ts'
export { encoded } from './written.ts'
