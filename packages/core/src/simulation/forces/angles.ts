/**
 * Angles and dihedrals: a law between listed triples or quadruples of points, with numbers of each angle in place of the law's
 * parameters.
 *
 * @module
 */
import { describeLaw } from '../../problem/interactions/from-data.ts'
import { type AngleLaw, angularLawOf, type DihedralLaw } from './angle-law.ts'
import { type CheckedLinks, linksOf, type PointLinkOptions } from './check-links.ts'

/** A law between listed triples. */
export interface AngleOptions extends PointLinkOptions<AngleLaw> {
  /** The three points of each angle; the second one is at its vertex. */
  readonly angles: Iterable<readonly [number, number, number]>
}

/** A law between listed quadruples. */
export interface DihedralOptions extends PointLinkOptions<DihedralLaw> {
  /** The four points of each dihedral; the angle is that about the line from the second to the third. */
  readonly dihedrals: Iterable<readonly [number, number, number, number]>
}

/** Angles as a snapshot has them. */
export interface Angles extends CheckedLinks<AngleLaw> {
  readonly angles: readonly (readonly [number, number, number])[]
}

/** Dihedrals as a snapshot has them. */
export interface Dihedrals extends CheckedLinks<DihedralLaw> {
  readonly dihedrals: readonly (readonly [number, number, number, number])[]
}

/** Links with an energy of an angle. */
export type Angular = Angles | Dihedrals

const has = (force: unknown, list: string) => typeof force === 'object' && force !== null && list in force

export const isAngles = (force: unknown): force is AngleOptions => has(force, 'angles')
export const isDihedrals = (force: unknown): force is DihedralOptions => has(force, 'dihedrals')

/** Checks everything that needs no points. @throws TypeError, RangeError, {@link ExpressionError} */
export function anglesOf(given: AngleOptions, part: string): Angles {
  const lawOf = lawOfKind('angle potential', `"${part}.law" expected an angle potential`)
  return linksOf(given, part, { each: 'angle', size: 3, what: 'triple [a, vertex, b]', lawOf })
}

/** Checks everything that needs no points. @throws TypeError, RangeError, {@link ExpressionError} */
export function dihedralsOf(given: DihedralOptions, part: string): Dihedrals {
  const lawOf = lawOfKind('dihedral potential', `"${part}.law" expected a dihedral potential`)
  return linksOf(given, part, { each: 'dihedral', size: 4, what: 'quadruple [a, b, c, d]', lawOf })
}

const lawOfKind = (kind: Angular['law']['kind'], expected: string) => (law: unknown) => {
  if (Object(law).kind !== kind) throw new TypeError(`${expected}, got ${describeLaw(law)}`)
  return angularLawOf(law as Angular['law'])
}
