/**
 * The sum of laws as one law, which a loop over pairs evaluates in one pass.
 *
 * @module
 */

import type { Curves } from '../../../ground/curves.ts'
import type { Table } from '../../../ground/table.ts'
import { sumOf as sumOfTerms } from '../../../language/canonical.ts'
import { foldBody } from '../../../language/fold-bodies.ts'
import { sameKind } from '../../../language/folds.ts'
import { toText } from '../../../language/infix.ts'
import { renamedLookup } from '../../../language/lookups.ts'
import { dependsOn, type Expr, symbol, symbolsOf } from '../../../language/nodes.ts'
import { substitute } from '../../../language/simplify.ts'
import { type LawOptions, longestLawName, pairForce, pairPotential, pairTerm } from '../define.ts'
import { ownTables, requireInteraction } from '../from-data.ts'
import type { Interaction, ParameterInput } from '../interaction.ts'
import { attributesOf, expressionsToWrite } from '../parse-interaction.ts'
import { vectorsOf } from '../vectors.ts'
import { radialForce } from './radial-force.ts'

/**
 * One law with the sum of the energies, forces or terms of all laws, for the same pairs. It is symmetric if they are.
 *
 * A parameter or table that several laws have keeps its name for the first of them. The others get numbers: `softening`, `softening2`.
 * Potentials and radial forces can be mixed: the sum is then a force. For laws with different cutoffs or exclusions, use the
 * `forces` of a simulation.
 *
 * @throws TypeError for laws that have no sum, such as a force and a term
 * @example
 * const { acceleration } = await engine.run(accelerations(sumOf(gravity(), coulomb())), { position, mass, charge })
 */
export function sumOf(...laws: readonly Interaction[]): Interaction {
  return summed(laws).law
}

/** The sum of laws, and the names that the parameters and tables of each law have in it. */
export interface Summed {
  readonly law: Interaction
  readonly names: readonly NewNames[]
}

/** See {@link sumOf}. */
export function summed(laws: readonly Interaction[]): Summed {
  if (laws.length === 0) throw new TypeError('"laws" expected at least one interaction, such as gravity(), got none')
  const summands = laws.map((law, n) => requireInteraction(law, `laws[${n}]`))
  const inertias = [...new Set(summands.flatMap(({ inertia }) => inertia ?? []))]
  if (inertias.length > 1) throw new TypeError(`"laws" expected the same inertia in all, got ${inertias.join(' and ')}`)
  const { parameters, tables, functions, minimum, renamed } = renamedApart(summands)
  const kind = kindOf(summands)
  const sides = summands.map((law, n) => roles(law, kind, renamed[n] as NewNames))
  const names = Object.keys(sides[0] as object)
  const stranger = sides.findIndex((side) => String(Object.keys(side)) !== String(names))
  if (stranger >= 0)
    throw new TypeError(
      `"laws" expected expressions of the same components, ${names.join(', ')}, got ${Object.keys(sides[stranger] as object).join(', ')} of ${summands[stranger]?.name}`,
    )
  const texts = Object.fromEntries(
    names.map((role) => [role, toText(sumOfTerms(sides.map((side) => side[role] as Expr)))]),
  )
  const options = {
    name: summands
      .map(({ name }) => name)
      .join(' + ')
      .slice(0, longestLawName),
    ...{ parameters, tables, functions, minimum },
    ...(inertias[0] !== undefined && { inertia: inertias[0] }),
  }
  return { law: lawOf(kind, texts, options), names: renamed }
}

function lawOf(kind: Interaction['kind'], texts: Readonly<Record<string, string>>, options: LawOptions): Interaction {
  if (kind === 'potential') return pairPotential(texts.energy as string, options)()
  if (kind === 'term') return pairTerm(texts, options)()
  return pairForce(texts.radial ?? (texts as { x: string; y?: string; z?: string }), options)()
}

function kindOf(laws: readonly Interaction[]): Interaction['kind'] {
  const kinds = new Set(laws.map(({ kind }) => kind))
  if (kinds.size === 1) return laws[0]?.kind as Interaction['kind']
  if (!kinds.has('term')) return 'force'
  const of = laws.map(({ name, kind }) => `${name}, a ${kind}`).join('; ')
  throw new TypeError(`"laws" expected terms only, or no term, got ${of}`)
}

/** The expressions of a law by role, with new names of parameters. A sum of forces uses the force of a potential. */
function roles(law: Interaction, kind: Interaction['kind'], names: NewNames): Record<string, Expr> {
  const own = Object.entries(expressionsToWrite(law)).map(([role, e]) => [role, withNames(e, names)] as const)
  if (law.kind !== 'potential' || kind === 'potential') return Object.fromEntries(own)
  const [, energy] = own[0] as readonly [string, Expr]
  if (law.functions)
    throw new TypeError(
      `"laws" expected potentials without tabulated functions beside forces, got ${law.name}, whose force has no text; give both to a simulation`,
    )
  if (['dx', 'dy', 'dz'].some((d) => dependsOn(energy, d)))
    throw new TypeError(
      `"laws" expected potentials of the distance alone beside forces, got ${law.name}, which depends on direction`,
    )
  return { radial: radialForce(energy) }
}

/** Names of parameters and tables in a sum, by their names in a law. */
export type NewNames = ReadonlyMap<string, string>

/** An expression with the new names of its parameters and tables, also within sums over components. */
function withNames(e: Expr, names: NewNames): Expr {
  return substitute(e, Object.fromEntries([...symbolsOf(e)].map((name) => [name, renamed(name, names)])))
}

function renamed(name: string, names: NewNames): Expr {
  const component = foldBody(name)
  if (component) return sameKind(name, withNames(component, names))
  return symbol(names.get(name) ?? renamedLookup(name, { table: (own) => names.get(own) ?? own }))
}

/** The parameters, tables and functions of all laws, renamed so that no two laws share a name. */
function renamedApart(laws: readonly Interaction[]) {
  const tablesOf = ({ tables: own = {} }: Interaction) => ownTables(own)
  const named = laws.map((law) => [
    ...Object.keys(law.parameters),
    ...Object.keys(law.vectors ?? {}),
    ...Object.keys(tablesOf(law)),
    ...Object.keys(law.functions ?? {}),
  ])
  const own = new Set(named.flat())
  const { targets, sources } = attributesOf(laws.flatMap((law) => Object.values(expressionsToWrite(law))))
  const attributes = new Set([...targets, ...sources])
  const vectors = new Set(
    laws.flatMap(
      (law) =>
        vectorsOf(law)
          ?.groups.flat()
          .filter((name) => !Object.hasOwn(law.vectors ?? {}, name)) ?? [],
    ),
  )
  const taken = new Set<string>()
  const parameters: Record<string, ParameterInput> = {}
  const tables: Record<string, Table> = {}
  const functions: Record<string, Curves> = {}
  const minimum: Record<string, number> = {}
  const renamed = laws.map((law, n): NewNames => {
    const names = new Map<string, string>()
    for (const name of named[n] as readonly string[]) {
      let free = name
      // The name of a vector has no other use.
      const isAttribute = () => (law.vectors?.[name] !== undefined ? attributes : vectors).has(free)
      const isTaken = () => taken.has(free) || isAttribute() || (free !== name && own.has(free))
      for (let n = 2; isTaken(); n++) free = `${name}${n}`
      taken.add(free)
      names.set(name, free)
      const [value, table, least] = [
        law.parameters[name] ?? law.vectors?.[name],
        law.tables?.[name],
        law.minimum?.[name],
      ]
      const curves = law.functions?.[name]
      if (value !== undefined) parameters[free] = value
      if (table !== undefined) tables[free] = table
      if (curves !== undefined) functions[free] = curves
      if (least !== undefined) minimum[free] = least
    }
    return names
  })
  return { parameters, tables, functions, minimum, renamed }
}
