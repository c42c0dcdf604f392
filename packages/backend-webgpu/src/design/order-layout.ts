/**
 * Numbers of workgroups for putting points in order, and the length of the array with their boxes. `counting-sort.ts` has those of the
 * sort itself.
 *
 * @module
 */
import { alongZ, type Size } from './spread.ts'

/** Points of a workgroup, one per invocation. */
export const orderedPerGroup = 256
/** Shares of the points of a set, in turns, each with a box of its own. */
export const boundsShares = 16
/** The most workgroups that compute these boxes, and the least points of each; one workgroup then combines their boxes. */
const [mostGroups, pointsPerGroup] = [256, 1024]

/** Words of the boxes; a periodic box needs none. */
export const boundsWords: number = 8 * boundsShares * mostGroups

export const boundsGroups = (count: number): number => Math.min(mostGroups, Math.ceil(count / pointsPerGroup))

/** The dispatch that divides crowded cells. Mostly there are none, so it has few workgroups to start in vain. */
export const dividingGroups = (count: number): Size => alongZ(Math.min(1024, Math.ceil(count / orderedPerGroup)))

/** The dispatch that has one invocation per point. */
export const pointGroups = (count: number): Size => alongZ(Math.ceil(count / orderedPerGroup))
