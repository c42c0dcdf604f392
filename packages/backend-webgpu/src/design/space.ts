/**
 * The space of boxes, and the lengths of a periodic box as numbers of a uniform block.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf } from '@manybody/core/backend'
import type { Field } from './shader.ts'

export interface BoxSpace {
  readonly dimension: Dimension
  readonly periodic: boolean
}

/** Fields of the uniform block for the lengths of the periodic box. */
export const lengthFields = ({ dimension, periodic }: BoxSpace): readonly Field[] =>
  periodic
    ? axesOf(dimension).flatMap((axis): Field[] => [
        { name: `length_${axis}`, type: 'f32' },
        { name: `perLength_${axis}`, type: 'f32', note: `1 / length_${axis}` },
      ])
    : []

/** Values of those fields. */
export const lengthValues = (
  { dimension, periodic }: BoxSpace,
  { boxX = 0, boxY = 0, boxZ = 0 }: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => {
  const lengths = [boxX, boxY, boxZ]
  const values = axesOf(dimension).flatMap((axis, n) => {
    const length = Math.fround(lengths[n] as number)
    return [
      [`length_${axis}`, length],
      [`perLength_${axis}`, 1 / length],
    ]
  })
  return periodic ? Object.fromEntries(values) : {}
}
