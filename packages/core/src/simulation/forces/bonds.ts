/**
 * Bonds: a law between listed pairs of points, with numbers of each bond in place of the law's parameters.
 *
 * @module
 */
import { describe, finite, onlyNamed } from '../../checks.ts'
import { interactionOf } from '../../interactions/from-data.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import { type Boundary, domainOf } from '../../workloads/domain.ts'
import { linkNumbers, pointLists } from './check-links.ts'

/** A law between listed pairs. */
export interface BondOptions {
  readonly law: Interaction
  /** The two points of each bond. */
  readonly bonds: Iterable<readonly [number, number]>
  /** Numbers of each bond by the name of a parameter of the law, whose value they replace. */
  readonly attributes?: Readonly<Record<string, Iterable<number>>>
  /** The boundary of the displacements; open by default. */
  readonly boundary?: Boundary
  /** A factor of the force and its energy, as for 1-4 pairs; 1 by default. */
  readonly scale?: number
}

/** Bonds as a snapshot has them. */
export interface Bonds extends BondOptions {
  readonly bonds: readonly (readonly [number, number])[]
  readonly attributes: Readonly<Record<string, readonly number[]>>
  readonly boundary: Boundary
  readonly scale: number
}

export const isBonds = (force: unknown): force is BondOptions =>
  typeof force === 'object' && force !== null && 'bonds' in force

/** Checks everything that needs no points. @throws TypeError, RangeError */
export function bondsOf(given: BondOptions, part: string): Bonds {
  const known = ['law', 'bonds', 'attributes', 'boundary', 'scale']
  const { law: unchecked, bonds, attributes = {}, boundary, scale = 1 } = onlyNamed(given, `part of ${part}`, known)
  if (typeof unchecked !== 'object' || unchecked === null || !('expressions' in unchecked))
    throw new TypeError(`"${part}.law" expected an interaction, such as a spring, got ${describe(unchecked)}`)
  const law = interactionOf(unchecked)
  const pairs = pointLists(bonds, `${part}.bonds`, 2, 'pair [a, b]') as Bonds['bonds']
  return {
    law,
    bonds: pairs,
    attributes: linkNumbers(attributes, law, part, { count: pairs.length, each: 'bond' }),
    boundary: domainOf({ ...(boundary && { boundary }) }).boundary,
    scale: finite(scale, `${part}.scale`),
  }
}
