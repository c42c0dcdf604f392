/**
 * Comparisons with the reference: the proof of a device, and the check of a run. They share code, so they load together.
 *
 * @module
 */
export { disproof } from './proof.ts'
export { verify } from './verify.ts'
