/**
 * The door to the code that runs programs, which an open device has loaded, for code that loads on demand: through it, all such code imports
 * the same set. `problem/loaded-at-once.ts` in core tells why.
 *
 * @module
 */

export { resultsOf } from '../drivers/drivers.ts'
export { bound, bufferOf, encode } from './bound.ts'
export { uploadInputs } from './inputs.ts'
export { pipelineOf } from './pipelines.ts'
export { GpuProgram } from './program.ts'
