/**
 * Angles: an energy of the angle at the middle of three points, between listed triples, as in a molecule.
 *
 * @module
 */
import { unexpected } from '../../checks.ts'
import { parseFinite } from '../../expression/finite-constants.ts'
import { describeLaw } from '../../interactions/from-data.ts'
import { Known } from '../../known.ts'
import { type CheckedLinks, linksOf, type PointLinkOptions } from './check-links.ts'
import { defineLaw, type ForceLaw, type ForceLawOptions, optionsOf } from './define-law.ts'

/** An energy of an angle, with its parameters set. Plain frozen data, as an interaction is. */
export interface AngleLaw extends ForceLaw {
  readonly kind: 'angle potential'
  /** The energy as an expression of `theta`, the angle in radians, from 0 to pi. */
  readonly expression: string
}

export type AnglePotentialOptions<Parameter extends string = string> = ForceLawOptions<Parameter>

/** A law between listed triples. */
export interface AngleOptions extends PointLinkOptions<AngleLaw> {
  /** The three points of each angle; the second one is at its vertex. */
  readonly angles: Iterable<readonly [number, number, number]>
}

/** Angles as a snapshot has them. */
export interface Angles extends CheckedLinks<AngleLaw> {
  readonly angles: readonly (readonly [number, number, number])[]
}

/** The name of the angle in these expressions. */
export const angle = 'theta'

const known = new Known<AngleLaw>('law', [])

/**
 * An energy of the angle `theta` at the middle of three points; the forces are its exact derivative.
 *
 * @throws {@link ExpressionError} if the text does not parse
 * @example
 * const bend = anglePotential('k*(theta - rest)^2/2', { parameters: { k: 1, rest: 1.9 } })
 */
export function anglePotential<P extends string = never>(
  energy: string,
  options: AnglePotentialOptions<P> = {},
): (parameters?: Readonly<Partial<Record<P, number>>>) => AngleLaw {
  const fixed = { kind: 'angle potential', expression: energy } as const
  return defineLaw({ what: 'an angle potential', own: angle, known }, fixed, options, (names) => {
    if (typeof energy !== 'string') throw unexpected('energy', 'an expression', energy)
    parseFinite(energy, { names: [angle, ...names] })
  })
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
      return known.of(law as AngleLaw, (given) => anglePotential(given.expression, optionsOf(given, 'law'))())
    },
  })
}
