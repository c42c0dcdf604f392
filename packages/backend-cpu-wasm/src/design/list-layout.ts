/**
 * Sizes of neighbour lists.
 *
 * @module
 */
import type { Shape } from '@manybody/core'
import { blockPoints } from '@manybody/core/backend'

/** The most sources in a list. */
export const mostSources = 1024
/** The most places that a block may keep from a list. */
export const mostPicked: number = mostSources + 8
/** Bytes before each Verlet list, and spare bytes behind the lists of a unit, because whole registers are stored. */
export const headerBytes = 12
export const spareBytes: number = 4 * (mostPicked + blockPoints) + headerBytes

/**
 * Length of the carried state. Its first number counts the rounds that the lists have held, or, if negative, the rounds to go
 * without. The positions of the rebuild follow.
 */
export const carriedNumbers = ({ targets, dimension }: Shape): number => 1 + targets * dimension

/**
 * The record of the phase `displacements`: the square of the longest displacement that lists allow, a float64, and a word that
 * is not 0 if some point has moved farther.
 */
export const displacementRecord = { most2: 0, far: 8 } as const
export const displacementBytes = 16

/** The phases of lists that last. */
export const lastingPhases: ReadonlySet<string> = new Set(['displacements', 'list', 'listed'])
