/**
 * The records that the numbers of the plan model rest on. `tests/node/plan-model.test.ts` finds the plans of each row in the
 * record that it names, and prints how they fared there.
 *
 * @module
 */

/** The newest of an NVIDIA H200, by `npm run bench:gpu`. */
export const h200 = 'bench/gpu/records/2026-11-23-nvidia-h200.json'
/** An earlier one, which only the history of this repository holds, at several commits. */
export const oldH200 = 'bench/gpu/records/2026-11-21-nvidia-h200.json'
/** The newest of a software GPU, by `npm run bench -- sweep`. */
export const software = 'bench/records/2026-11-22-sweep.json'
/** Prototypes that no record holds. */
export const notes = 'docs/notes/webgpu.md'
export const never = 'not recorded'
