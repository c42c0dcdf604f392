/**
 * The space of boxes, as WGSL: vectors of its dimension, and the images of points inside a periodic box.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import type { BoxSpace } from '../../design/space.ts'
import { plus, wgsl } from '../../design/wgsl.ts'

/** Vectors of the dimension, as WGSL. */
export interface VectorText {
  readonly type: string
  /** The components that a longer vector has in this dimension, such as `xy`. */
  readonly parts: string
  /** The coordinates of a point. */
  readonly load: (array: string, point: string) => string
  /** The vector as a `vec4f` with this last number. */
  readonly extended: (vector: string, last?: string) => string
}

export function vectorOf({ dimension }: BoxSpace): VectorText {
  const type = `vec${dimension}f`
  const at = (array: string, point: string, axis: number) => `${array}[${plus(`${dimension}u * ${point}`, axis)}]`
  const third = dimension === 2 ? ['0.0'] : []
  return {
    type,
    parts: axesOf(dimension).join(''),
    load: (array, point) =>
      `${type}(${axesOf(dimension)
        .map((_, axis) => at(array, point, axis))
        .join(', ')})`,
    extended: (vector, last = '0.0') => `vec4f(${[vector, ...third, last].join(', ')})`,
  }
}

/** How a point is moved into the periodic box. */
export interface Inside {
  /** Functions to declare. */
  readonly functions: string
  /** The point itself in open space, or its image inside the periodic box. */
  readonly of: (x: string) => string
  /** The largest number in the computation of a coordinate, given the largest absolute coordinate. */
  readonly size: (most: string) => string
}

export function insideOf(space: BoxSpace): Inside {
  if (!space.periodic) return { functions: '', of: (x) => x, size: (most) => most }
  const { type } = vectorOf(space)
  const [lengths, perLengths] = ['length', 'perLength'].map((name) =>
    axesOf(space.dimension).map((axis) => `run.${name}_${axis}`),
  ) as [string[], string[]]
  return {
    functions: wgsl`
fn lengths() -> ${type} { return ${type}(${lengths.join(', ')}); }
fn wrapped(x: ${type}) -> ${type} { return x - lengths() * floor(x * ${type}(${perLengths.join(', ')})); }`,
    of: (x) => `wrapped(${x})`,
    size: (most) => lengths.reduce((larger, length) => `max(${larger}, ${length})`, most),
  }
}
