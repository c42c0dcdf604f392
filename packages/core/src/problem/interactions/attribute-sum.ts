/**
 * The plain sum of an attribute of both points: the smallest law there is.
 *
 * @module
 */
import { pairTerm } from './define.ts'
import type { Law } from './interaction.ts'

/**
 * `p_i + p_j`, without the distance. It is useful for timing a loop rather than a law; its matrix is an outer sum.
 *
 * @unit the unit of `p`
 * @reads `p`
 */
export const attributeSum: Law<never> = pairTerm('p_i + p_j', {
  name: 'attribute-sum',
  sampling: { r: [0.1, 1], p: [-2, 2] },
})
