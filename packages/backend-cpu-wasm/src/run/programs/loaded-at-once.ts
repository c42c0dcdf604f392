/**
 * The door to the code that loads, places and runs every program, for code that loads on demand: through it, all such code imports the same set.
 * `problem/loaded-at-once.ts` in core tells why.
 *
 * @module
 */

export { Regions } from '../placement/regions.ts'
export { load } from './load.ts'
export { fittingLoop, type Loop } from './loops.ts'
export { WasmProgram } from './program.ts'
