/**
 * The numbers that all walks over blocks read, and the way to the nearest image.
 *
 * @module
 */
import { at, type Node, op } from '../wasm/nodes.ts'

/**
 * Byte offsets of the numbers of a walk: the square of the reach, the lengths of the periodic box and their inverses, the slope
 * and start of the line that gives the reach of a distance, the square of the distance within which all pairs count, the
 * reach of points whose coordinates are rounded once more, and by how much pairs may come closer before the next walk.
 */
export const walkNumbers: {
  readonly [Name in 'reach2' | 'lengths' | 'shares' | 'slope' | 'start' | 'within2' | 'filter' | 'skin']: number
} = {
  reach2: 0,
  lengths: 8,
  shares: 32,
  slope: 56,
  start: 64,
  within2: 72,
  filter: 80,
  skin: 88,
}
export const walkBytes = 96

/** A periodic box along an axis: its length and the inverse. */
export interface Around {
  readonly length: Node
  readonly share: Node
}

/** The box along an axis, from the numbers of a walk; `as` makes of each what is computed with. */
export function aroundOf(walk: Node, axis: number, as: (value: Node) => Node = (value) => value): Around {
  const read = (name: 'lengths' | 'shares') => as(at('f64.load', walkNumbers[name] + axis * 8, walk))
  return { length: read('lengths'), share: read('shares') }
}

/**
 * Moves a value to the image that is nearest to an origin, if there is a box.
 *
 * @param apart the displacement from the origin, computed already
 * @param moved what moves, computed already; by default the displacement itself
 */
export function toNearest(
  type: 'f64' | 'f32x4' | 'f64x2',
  apart: Node,
  around: Around | undefined,
  moved: Node = apart,
): Node {
  if (!around) return moved
  const images = op(`${type}.nearest`, op(`${type}.mul`, apart, around.share))
  return op(`${type}.sub`, moved, op(`${type}.mul`, around.length, images))
}
