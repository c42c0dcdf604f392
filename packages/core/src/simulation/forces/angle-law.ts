/**
 * The law of angles: an energy of the angle at the middle of three points. `angles.ts` has the triples that it acts on.
 *
 * @module
 */
import { unexpected } from '../../ground/checks.ts'
import { Known } from '../../ground/made-or-given.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { defineLaw, type ForceLaw, type ForceLawOptions, optionsOf } from './define-law.ts'

/** An energy of an angle, with its parameters set. Plain frozen data, as an interaction is. */
export interface AngleLaw extends ForceLaw {
  readonly kind: 'angle potential'
  /** The energy as an expression of `theta`, the angle in radians, from 0 to pi. */
  readonly expression: string
}

export type AnglePotentialOptions<Parameter extends string = string> = ForceLawOptions<Parameter>

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

/** The same law, checked, if it comes from data. @throws TypeError, RangeError, {@link ExpressionError} */
export const angleLawOf = (law: AngleLaw): AngleLaw =>
  known.of(law, (given) => anglePotential(given.expression, optionsOf(given, 'law'))())
