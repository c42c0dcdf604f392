/**
 * The grid of cells over sources that are spread evenly in open space, for targets that keep the nearest. The device lays it before
 * the sources are put in order, or finds that they are not spread evenly.
 *
 * @module
 */

/** The names of the shader that lays the grid, and of the loop that visits sources by it. */
export const layingName = 'layGrid'
export const gridLoop = 'gridLoop'

/** The numbers of the grid, by their places from its first word in the array `order`. */
export const gridWords = { isEven: 0, cells: 1, low: 4, perEdge: 7, size: 10, start: 13 } as const

/** Number of these words. */
export const gridLength = 14
