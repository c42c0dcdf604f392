/**
 * Angles: an energy of the angle at the middle of three points, between listed triples, as in a molecule.
 *
 * @module
 */
import { describe, finite, onlyNamed } from '../../checks.ts'
import { parseFinite } from '../../expression/finite-constants.ts'
import { describeLaw } from '../../interactions/from-data.ts'
import { Known } from '../../known.ts'
import { type Boundary, domainOf } from '../../workloads/domain.ts'
import { linkNumbers, pointLists } from './check-links.ts'
import { defineLaw, type ForceLaw, type ForceLawOptions, optionsOf } from './define-law.ts'

/** An energy of an angle, with its parameters set. Plain frozen data, as an interaction is. */
export interface AngleLaw extends ForceLaw {
  readonly kind: 'angle potential'
  /** The energy as an expression of `theta`, the angle in radians, from 0 to pi. */
  readonly expression: string
}

export type AnglePotentialOptions<Parameter extends string = string> = ForceLawOptions<Parameter>

/** A law between listed triples. */
export interface AngleOptions {
  readonly law: AngleLaw
  /** The three points of each angle; the second one is at its vertex. */
  readonly angles: Iterable<readonly [number, number, number]>
  /** Numbers of each angle by the name of a parameter of the law, whose value they replace. */
  readonly attributes?: Readonly<Record<string, Iterable<number>>>
  /** The boundary of the displacements; open by default. */
  readonly boundary?: Boundary
  /** A factor of the force and its energy; 1 by default. */
  readonly scale?: number
}

/** Angles as a snapshot has them. */
export interface Angles extends AngleOptions {
  readonly angles: readonly (readonly [number, number, number])[]
  readonly attributes: Readonly<Record<string, readonly number[]>>
  readonly boundary: Boundary
  readonly scale: number
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
    if (typeof energy !== 'string') throw new TypeError(`"energy" expected an expression, got ${describe(energy)}`)
    parseFinite(energy, { names: [angle, ...names] })
  })
}

export const isAngles = (force: unknown): force is AngleOptions =>
  typeof force === 'object' && force !== null && 'angles' in force

/** Checks everything that needs no points. @throws TypeError, RangeError, {@link ExpressionError} */
export function anglesOf(given: AngleOptions, part: string): Angles {
  const parts = ['law', 'angles', 'attributes', 'boundary', 'scale']
  const { law: unchecked, angles, attributes = {}, boundary, scale = 1 } = onlyNamed(given, `part of ${part}`, parts)
  if (Object(unchecked).kind !== 'angle potential')
    throw new TypeError(`"${part}.law" expected an angle potential, got ${describeLaw(unchecked)}`)
  const law = known.of(unchecked, (given) => anglePotential(given.expression, optionsOf(given, 'law'))())
  const triples = pointLists(angles, `${part}.angles`, 3, 'triple [a, vertex, b]') as Angles['angles']
  return {
    law,
    angles: triples,
    attributes: linkNumbers(attributes, law, part, { count: triples.length, each: 'angle' }),
    boundary: domainOf({ ...(boundary && { boundary }) }).boundary,
    scale: finite(scale, `${part}.scale`),
  }
}
