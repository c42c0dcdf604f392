/**
 * The records that support the plan model. `tests/node/bench/plan-model.test.ts` looks up the plan of each row in the record that
 * the row names, and prints how it fared there.
 *
 * @module
 */

/** The newest record of an NVIDIA H200, made by `npm run bench:gpu`. */
export const h200 = 'bench/gpu/records/2026-11-26-nvidia-h200.json'
/** An excerpt of the record before blocks of near points: loops over all pairs that blocks have replaced since. */
export const beforeBlocks = 'bench/gpu/records/2026-11-24-nvidia-h200-all-pairs.json'
/** An excerpt of the record before group minima: lists of neighbours without them. */
export const beforeMinima = 'bench/gpu/records/2026-11-21-nvidia-h200-lists.json'
/** The newest record of a software GPU, made by `npm run bench -- sweep`. */
export const software = 'bench/records/2026-11-27-sweep.json'
/** Notes on prototypes that have no record. */
export const notes = 'docs/notes/webgpu.md'
export const never = 'not recorded'
