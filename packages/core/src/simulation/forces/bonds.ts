/**
 * Bonds: a law between listed pairs of points, with numbers of each bond in place of the law's parameters.
 *
 * @module
 */
import { unexpected } from '../../ground/checks.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { symbolsOf } from '../../language/nodes.ts'
import { interactionOf } from '../../problem/interactions/from-data.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { expressionsOf } from '../../problem/interactions/parse-interaction.ts'
import { vectorsOf } from '../../problem/interactions/vectors.ts'
import { type CheckedLinks, linksOf, type PointLinkOptions } from './check-links.ts'

/** A law between listed pairs. */
export interface BondOptions extends PointLinkOptions<Interaction> {
  /** The two points of each bond. */
  readonly bonds: Iterable<readonly [number, number]>
}

/** Bonds as a snapshot has them. */
export interface Bonds extends CheckedLinks<Interaction> {
  readonly bonds: readonly (readonly [number, number])[]
}

export const isBonds = (force: unknown): force is BondOptions =>
  typeof force === 'object' && force !== null && 'bonds' in force

/** Checks everything that needs no points. @throws TypeError, RangeError */
export function bondsOf(given: BondOptions, part: string): Bonds {
  const checked: Bonds = linksOf(given, part, {
    ...({ each: 'bond', size: 2, what: 'pair [a, b]' } as const),
    lawOf(law) {
      if (typeof law !== 'object' || law === null || !('expressions' in law))
        throw unexpected(`${part}.law`, 'an interaction, such as a spring', law)
      return interactionOf(law as Interaction)
    },
  })
  requireSharedInVectors(checked, part)
  return checked
}

/** @throws TypeError for numbers of each link within sums over components, which the host finds from those of the points */
function requireSharedInVectors({ law, attributes }: Bonds, part: string): void {
  if (!vectorsOf(law)) return
  const bodies = [...symbolsOf(...Object.values(expressionsOf(law)))].flatMap((name) => foldBody(name) ?? [])
  const own = Object.keys(attributes).find((name) => symbolsOf(...bodies).has(name))
  if (own !== undefined)
    throw new TypeError(
      `"${part}.attributes.${own}" expected a number outside of functions of vectors, got ${law.name}; write ${own}*sqdist(x_i, x_j)`,
    )
}
