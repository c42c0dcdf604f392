/**
 * How large lists of near sources may be.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'

/** The most sources in a list. */
export const mostSources = 1024
/** The most places that a block may pick from a list. */
export const mostPicked: number = mostSources + 8
/** Bytes before each list that lasts, and behind those of a unit: registers are written whole. */
export const headerBytes = 12
export const spareBytes: number = 4 * (mostPicked + blockPoints) + headerBytes
