/**
 * The axes of points on a line, in a plane or in space.
 *
 * @module
 */

/** The names of the axes, in the order of components. */
export const axes = ['x', 'y', 'z'] as const

export type Axis = (typeof axes)[number]

/** The axes of points on a line, in a plane or in space. */
export const axesOf = (dimension: number): readonly Axis[] => axes.slice(0, dimension)
