/**
 * Angles: a law between listed triples of points, with numbers of each angle in place of the law's parameters.
 *
 * @module
 */
import { describeLaw } from '../../problem/interactions/from-data.ts'
import { type AngleLaw, angleLawOf } from './angle-law.ts'
import { type CheckedLinks, linksOf, type PointLinkOptions } from './check-links.ts'

/** A law between listed triples. */
export interface AngleOptions extends PointLinkOptions<AngleLaw> {
  /** The three points of each angle; the second one is at its vertex. */
  readonly angles: Iterable<readonly [number, number, number]>
}

/** Angles as a snapshot has them. */
export interface Angles extends CheckedLinks<AngleLaw> {
  readonly angles: readonly (readonly [number, number, number])[]
}

export const isAngles = (force: unknown): force is AngleOptions =>
  typeof force === 'object' && force !== null && 'angles' in force

/** Checks everything that needs no points. @throws TypeError, RangeError, {@link ExpressionError} */
export function anglesOf(given: AngleOptions, part: string): Angles {
  return linksOf(given, part, {
    ...({ each: 'angle', size: 3, what: 'triple [a, vertex, b]' } as const),
    lawOf(law) {
      if (Object(law).kind !== 'angle potential')
        throw new TypeError(`"${part}.law" expected an angle potential, got ${describeLaw(law)}`)
      return angleLawOf(law as AngleLaw)
    },
  })
}
