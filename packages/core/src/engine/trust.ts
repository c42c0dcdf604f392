/**
 * What compares with the reference: the proof of a device, and the check of a run. Loaded together, as they share the truth.
 *
 * @module
 */
export { disproof } from './proof.ts'
export { verify } from './verify.ts'
