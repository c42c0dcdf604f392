/**
 * The space of boxes, and the lengths of a periodic box as numbers of a uniform block.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf, boxesIn } from '@manybody/core/backend'
import type { Field } from './shader.ts'

export interface BoxSpace {
  readonly dimension: Dimension
  readonly periodic: boolean
  /** Whether the periodic box has an axis that does not repeat. Its length there is 0. */
  readonly slab?: boolean
}

/** Whether the box around the points must be computed to divide space into cells. */
export const needsBounds = ({ periodic, slab = false }: BoxSpace): boolean => !periodic || slab

/** Fields of the uniform block for the lengths of the periodic box. */
export const lengthFields = ({ dimension, periodic }: BoxSpace): readonly Field[] =>
  periodic
    ? axesOf(dimension).flatMap((axis): Field[] => [
        { name: `length_${axis}`, type: 'f32' },
        { name: `perLength_${axis}`, type: 'f32', note: `1 / length_${axis}` },
      ])
    : []

/** Values of those fields. Both are 0 along an open axis. */
export const lengthValues = (
  { dimension, periodic }: BoxSpace,
  parameters: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => {
  const lengths = boxesIn(parameters)
  const values = axesOf(dimension).flatMap((axis, n) => {
    const length = Math.fround(lengths[n] ?? 0)
    return [
      [`length_${axis}`, length],
      [`perLength_${axis}`, length && 1 / length],
    ]
  })
  return periodic ? Object.fromEntries(values) : {}
}
