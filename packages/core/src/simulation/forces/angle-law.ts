/**
 * The laws of angles: an energy of the angle at the middle of three points, or of the dihedral angle of four. `angles.ts` has the lists
 * of points that they act on.
 *
 * @module
 */
import { unexpected } from '../../ground/checks.ts'
import type { Functions } from '../../ground/curves.ts'
import { Known } from '../../ground/made-or-given.ts'
import { Remembered } from '../../ground/remember.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import type { Expr } from '../../language/nodes.ts'
import { type Looked, scopeWith } from './curve-scope.ts'
import { defineLaw, type ForceLaw, type ForceLawOptions, optionsOf } from './define-law.ts'
import { endNames } from './end-names.ts'

/** An energy of an angle, with its parameters set. Plain frozen data, as an interaction is. */
export interface AngleLaw extends ForceLaw {
  readonly kind: 'angle potential'
  /** The energy as an expression of `theta`, the angle in radians, from 0 to pi. */
  readonly expression: string
}

/** An energy of a dihedral angle, with its parameters set. Plain frozen data, as an interaction is. */
export interface DihedralLaw extends ForceLaw {
  readonly kind: 'dihedral potential'
  /** The energy as an expression of `phi`, the angle in radians, from -pi to pi. */
  readonly expression: string
}

export type AnglePotentialOptions<Parameter extends string = string> = ForceLawOptions<Parameter>
export type DihedralPotentialOptions<Parameter extends string = string> = ForceLawOptions<Parameter>

type AngularLaw = AngleLaw | DihedralLaw

/** The name of the angle in the expressions of each kind. */
const angles = { 'angle potential': 'theta', 'dihedral potential': 'phi' } as const

export const angleIn = ({ kind }: Pick<AngularLaw, 'kind'>): string => angles[kind]

const knownAngles = new Known<AngleLaw>('law', [])
const knownDihedrals = new Known<DihedralLaw>('law', [])

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
  const own = angleIn(fixed)
  return defineLaw(
    { what: 'an angle potential', own, known: knownAngles, kinds: 'no kinds' },
    fixed,
    options,
    checked(energy, own),
  )
}

/**
 * An energy of the dihedral angle `phi` of four points a, b, c, d in 3-D: the angle between the planes of a, b, c and of b, c, d, as
 * seen along b-c, by the convention of IUPAC. It is 0 if a and d lie on the same side, and pi or -pi if they lie on opposite sides. The
 * forces are its exact derivative. An energy without a jump has the period 2*pi.
 *
 * @throws {@link ExpressionError} if the text does not parse
 * @example
 * const torsion = dihedralPotential('k*(1 + cos(n*phi - delta))', { parameters: { k: 1, n: 3, delta: 0 } })
 */
export function dihedralPotential<P extends string = never>(
  energy: string,
  options: DihedralPotentialOptions<P> = {},
): (parameters?: Readonly<Partial<Record<P, number>>>) => DihedralLaw {
  const fixed = { kind: 'dihedral potential', expression: energy } as const
  const own = angleIn(fixed)
  return defineLaw(
    { what: 'a dihedral potential', own, known: knownDihedrals, kinds: 'no kinds' },
    fixed,
    options,
    checked(energy, own),
  )
}

const checked = (energy: unknown, own: string) => (names: readonly string[], functions: Functions | undefined) => {
  if (typeof energy !== 'string') throw unexpected('energy', 'an expression', energy)
  parseFinite(energy, scopeWith(functions, { names: [own, ...names] }))
}

const parsed = new Remembered<AngularLaw, { readonly energy: Expr; readonly calls: readonly Looked[] }>()

const parsedLaw = (law: AngularLaw) =>
  parsed.of(law, () => {
    const calls: Looked[] = []
    const scope = { names: [angleIn(law), ...Object.keys(law.parameters)] }
    return { energy: parseFinite(law.expression, scopeWith(law.functions, scope, calls, endNames.curve)), calls }
  })

/** The energy, in the angle, the parameters and the numbers of its calls. */
export const energyIn = (law: AngularLaw): Expr => parsedLaw(law).energy

/** The calls of tabulated functions. */
export const callsIn = (law: AngularLaw): readonly Looked[] => parsedLaw(law).calls

/** The same law, checked, if it comes from data. @throws TypeError, RangeError, {@link ExpressionError} */
export function angularLawOf<Law extends AngularLaw>(law: Law): Law
export function angularLawOf(law: AngularLaw): AngularLaw {
  if (law.kind === 'angle potential')
    return knownAngles.of(law, (given) => anglePotential(given.expression, optionsOf(given, 'law'))())
  return knownDihedrals.of(law, (given) => dihedralPotential(given.expression, optionsOf(given, 'law'))())
}
