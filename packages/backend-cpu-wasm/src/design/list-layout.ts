/**
 * Sizes of neighbour lists.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'

/** The most sources in a list. */
export const mostSources = 1024
/** The most places that a block may keep from a list. */
export const mostPicked: number = mostSources + 8
/** Bytes before each Verlet list, and spare bytes behind the lists of a unit, because whole registers are stored. */
export const headerBytes = 12
export const spareBytes: number = 4 * (mostPicked + blockPoints) + headerBytes
