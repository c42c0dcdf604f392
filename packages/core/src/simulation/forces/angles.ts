/**
 * Angles: an energy of the angle at the middle of three points, between listed triples, as in a molecule.
 *
 * @module
 */
import { describe, finite, hasNames, onlyNamed } from '../../checks.ts'
import { parseFinite } from '../../expression/finite-constants.ts'
import { setNames } from '../../interactions/interaction.ts'
import { Known } from '../../known.ts'
import { nameOf, numbersByName, record } from '../../names.ts'
import { type Boundary, domainOf } from '../../workloads/domain.ts'
import { linkNumbers, pointLists } from './check-links.ts'

/** An energy of an angle, with its parameters set. Plain frozen data, as an interaction is. */
export interface AngleLaw {
  readonly name: string
  readonly kind: 'angle potential'
  /** The energy as an expression of `theta`, the angle in radians, from 0 to pi. */
  readonly expression: string
  readonly parameters: Readonly<Record<string, number>>
  /** The attribute that divides the forces. Without it, that of the other forces. */
  readonly inertia?: string
}

export interface AnglePotentialOptions<Parameter extends string = string> {
  /** The name in errors; by default the expression. */
  readonly name?: string
  /** The parameters and their default values. */
  readonly parameters?: Readonly<Record<Parameter, number>>
  readonly inertia?: string
}

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
  const {
    parameters: defaults = {},
    inertia,
    name = energy,
  } = onlyNamed(options, 'option of an angle potential', ['name', 'parameters', 'inertia'])
  numbersByName(defaults, ['pi', angle])
  if (inertia !== undefined) nameOf(inertia, 'inertia', setNames)
  if (typeof energy !== 'string') throw new TypeError(`"energy" expected an expression, got ${describe(energy)}`)
  if (typeof name !== 'string' || name === '') throw new TypeError(`"name" expected text, got ${describe(name)}`)
  const names = Object.keys(defaults)
  parseFinite(energy, { names: [angle, ...names] })
  return (values) => {
    const given = record<unknown>(Object.entries(onlyNamed(values ?? {}, `parameter of ${name}`, names)))
    const all = { ...defaults, ...given } as Record<string, unknown>
    const parameters = names.map((parameter) => [parameter, finite(all[parameter], parameter)] as const)
    const law = { name, kind: 'angle potential', expression: energy } as const
    return known.made(
      Object.freeze({
        ...law,
        parameters: Object.freeze(Object.fromEntries(parameters)),
        ...(inertia !== undefined && { inertia }),
      }),
    )
  }
}

export const isAngles = (force: unknown): force is AngleOptions =>
  typeof force === 'object' && force !== null && 'angles' in force

/** Checks everything that needs no points. @throws TypeError, RangeError, {@link ExpressionError} */
export function anglesOf(given: AngleOptions, part: string): Angles {
  const parts = ['law', 'angles', 'attributes', 'boundary', 'scale']
  const { law: unchecked, angles, attributes = {}, boundary, scale = 1 } = onlyNamed(given, `part of ${part}`, parts)
  if (Object(unchecked).kind !== 'angle potential')
    throw new TypeError(
      `"${part}.law" expected an angle potential, got ${typeof unchecked === 'function' ? 'a law that was not called' : describe(unchecked)}`,
    )
  const law = known.of(unchecked, ({ name, expression, parameters, inertia }) => {
    if (!hasNames(parameters)) throw new TypeError(`"law.parameters" expected an object, got ${describe(parameters)}`)
    return anglePotential(expression, { name, parameters, ...(inertia !== undefined && { inertia }) })()
  })
  const triples = pointLists(angles, `${part}.angles`, 3, 'triple [a, vertex, b]') as Angles['angles']
  return {
    law,
    angles: triples,
    attributes: linkNumbers(attributes, law, part, { count: triples.length, each: 'angle' }),
    boundary: domainOf({ ...(boundary && { boundary }) }).boundary,
    scale: finite(scale, `${part}.scale`),
  }
}
