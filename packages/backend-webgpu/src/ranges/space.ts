/**
 * The space in which points are put into boxes, as WGSL: vectors of its dimension, and where a point of a periodic box is.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import type { Field } from '../wgsl/shader.ts'
import { wgsl } from '../wgsl/wgsl.ts'

export interface Space {
  readonly dimension: Dimension
  readonly periodic: boolean
}

const axes = ['x', 'y', 'z'] as const

export const axesOf = (dimension: Dimension): readonly string[] => axes.slice(0, dimension)

/** Vectors of the dimension, as texts. */
export interface Vector {
  readonly type: string
  /** The components of a longer vector. */
  readonly parts: string
  /** The coordinates of a point. */
  readonly load: (array: string, point: string) => string
  /** As a `vec4f`, whose last number is given. */
  readonly extended: (vector: string, last?: string) => string
}

export function vectorOf({ dimension }: Space): Vector {
  const type = `vec${dimension}f`
  const at = (array: string, point: string, axis: number) =>
    `${array}[${dimension}u * ${point}${axis ? ` + ${axis}u` : ''}]`
  return {
    type,
    parts: axesOf(dimension).join(''),
    load: (array, point) =>
      `${type}(${axesOf(dimension)
        .map((_, axis) => at(array, point, axis))
        .join(', ')})`,
    extended: (vector, last = '0.0') => `vec4f(${vector}, ${dimension === 2 ? '0.0, ' : ''}${last})`,
  }
}

/** Fields of the uniform block for the lengths of the box. */
export const lengthFields = ({ dimension, periodic }: Space): readonly Field[] =>
  periodic ? axesOf(dimension).map((axis): Field => ({ name: `length_${axis}`, type: 'f32' })) : []

/** Their values. */
export const lengthValues = (
  { dimension, periodic }: Space,
  { boxX, boxY, boxZ }: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => {
  const lengths = [boxX, boxY, boxZ].slice(0, dimension)
  return periodic ? Object.fromEntries(lengths.map((length = 0, n) => [`length_${axes[n]}`, length])) : {}
}

/** Functions to declare, and what they make of a point. */
export interface Inside {
  readonly functions: string
  /** Where boxes have a point: in a periodic box its image inside. */
  readonly of: (x: string) => string
  /** The largest number that a coordinate is computed from, given the largest coordinate by its size. */
  readonly size: (most: string) => string
}

export function insideOf(space: Space): Inside {
  if (!space.periodic) return { functions: '', of: (x) => x, size: (most) => most }
  const { type } = vectorOf(space)
  const lengths = axesOf(space.dimension).map((axis) => `run.length_${axis}`)
  return {
    functions: wgsl`
fn lengths() -> ${type} { return ${type}(${lengths.join(', ')}); }
fn wrapped(x: ${type}) -> ${type} { return x - lengths() * floor(x / lengths()); }`,
    of: (x) => `wrapped(${x})`,
    size: (most) => lengths.reduce((larger, length) => `max(${larger}, ${length})`, most),
  }
}
