/**
 * Numbers of workgroups for putting points in order, and lengths of the arrays for it. `sort-layout.ts` has those of the sort
 * itself.
 *
 * @module
 */
import { alongZ, type Size } from './spread.ts'

/** Points of a workgroup, one per invocation. */
export const orderedPerGroup = 256
/** The most workgroups that compute the box of their points; one workgroup then combines these boxes. */
const mostBoxes = orderedPerGroup

/** Words of the boxes that workgroups compute; a periodic box needs none. */
export const boundsWords: number = 8 * mostBoxes

export const boundsBoxes = (count: number): number => Math.min(mostBoxes, Math.ceil(count / orderedPerGroup))

/** The dispatch that has one invocation per point. */
export const pointGroups = (count: number): Size => alongZ(Math.ceil(count / orderedPerGroup))
