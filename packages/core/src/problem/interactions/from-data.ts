/**
 * Interactions that may come from data, such as JSON. The constructors of laws check them.
 *
 * @module
 */
import { describe, finite, hasNames, named, oneOf, unexpected } from '../../ground/checks.ts'
import type { Tables } from '../../ground/table.ts'
import { isOwnTable } from '../../language/lookups.ts'
import { type LawOptions, pairForce, pairPotential, pairTerm } from './define.ts'
import type { Interaction, Law } from './interaction.ts'
import { knownLaws } from './known-laws.ts'

/** The same law, checked. `symmetric` is derived again. @throws TypeError, RangeError, {@link ExpressionError} */
export function interactionOf(law: Interaction): Interaction {
  return knownLaws.of(law, build)
}

/** An interaction from an argument. @param expected the accepted values, for messages @throws TypeError */
export function requireInteraction(
  given: unknown,
  name: string,
  expected = 'an interaction, such as gravity()',
): Interaction {
  if (typeof given === 'object' && given !== null && 'expressions' in given) return interactionOf(given as Interaction)
  throw new TypeError(`"${name}" expected ${expected}, got ${describeLaw(given)}`)
}

/** Describes a value that was given in place of a law. */
export function describeLaw(given: unknown): string {
  if (typeof given === 'function') return 'a law that was not called'
  return Array.isArray(Object(given).results) ? 'a workload' : describe(given)
}

function build(given: Interaction): Interaction {
  const { name, kind, expressions, parameters, vectors, minimum, inertia } = given
  for (const [what, value] of Object.entries({ name, inertia: inertia ?? '' }))
    if (typeof value !== 'string') throw unexpected(`law.${what}`, 'text', value)
  for (const [what, value] of Object.entries({
    expressions,
    parameters,
    vectors: vectors ?? {},
    minimum: minimum ?? {},
  }))
    named(value, `law.${what}`)
  for (const [parameter, value] of Object.entries(minimum ?? {})) finite(value, `law.minimum.${parameter}`)
  const options = {
    ...numbersOfLaw(given),
    name,
    ...(inertia !== undefined && { inertia }),
  }
  return lawOf(oneOf(kind, 'law.kind', ['potential', 'force', 'term']), expressions, options)()
}

/** The numbers of a law as options of another. */
export const numbersOfLaw = ({ parameters, vectors, tables, functions, minimum }: Interaction): LawOptions => ({
  parameters: { ...parameters, ...vectors },
  // The tables of functions and vectors are made of these.
  ...(tables !== undefined && { tables: ownTables(tables) }),
  ...(functions !== undefined && { functions }),
  ...(minimum !== undefined && { minimum }),
})

/** The tables that a caller gave. */
export const ownTables = (tables: Tables): Tables =>
  hasNames(tables) ? Object.fromEntries(Object.entries(tables).filter(([name]) => isOwnTable(name))) : tables

function lawOf(kind: Interaction['kind'], expressions: Interaction['expressions'], options: LawOptions): Law {
  if (kind === 'potential') return pairPotential(expressions.energy as string, options)
  if (kind === 'term') return pairTerm(expressions, options)
  return pairForce(expressions.radial ?? (expressions as { x: string; y?: string; z?: string }), options)
}
