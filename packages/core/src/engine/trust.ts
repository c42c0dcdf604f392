/**
 * What engines load once they are needed: comparisons with the reference (the proof of a device, and the check of a run), and the
 * ranges that a run may give. They share code, so they load together.
 *
 * @module
 */

export { prepareRanged } from '../ranges/each-range.ts'
export { withRanges } from '../ranges/given-ranges.ts'
export { disproof } from './devices/proof.ts'
export { verify } from './verify.ts'
