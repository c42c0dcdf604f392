/**
 * The way to the nearest image, for all walks over blocks.
 *
 * @module
 */
import { walkNumbers } from '../../design/walk-layout.ts'
import { at, type Node, op } from '../wasm/nodes.ts'

/** A periodic box along an axis: its length and the inverse. */
export interface Around {
  readonly length: Node
  readonly share: Node
}

/** The box along an axis, from the numbers of a walk. `as` converts each number, for example to a vector. */
export function aroundOf(walk: Node, axis: number, as: (value: Node) => Node = (value) => value): Around {
  const read = (name: 'lengths' | 'shares') => as(at('f64.load', walkNumbers[name] + axis * 8, walk))
  return { length: read('lengths'), share: read('shares') }
}

/**
 * Moves a value to the image that is nearest to an origin, if there is a box.
 *
 * @param apart the displacement from the origin, computed already
 * @param moved the value to move, computed already; by default the displacement itself
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
