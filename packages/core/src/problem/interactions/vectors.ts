/**
 * The vectors of a law: attributes of any length, which functions of vectors turn into numbers.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { vectorsIn } from '../../language/fold-names.ts'
import { attributesIn } from '../../language/lookups.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'
import type { Workload } from '../workloads/workload.ts'
import { type Interaction, pairNames } from './interaction.ts'
import { expressionsOf } from './parse-interaction.ts'

export interface LawVectors {
  /** Attributes that are vectors. Those of one group have one length, because a function meets their components in pairs. */
  readonly groups: readonly (readonly string[])[]
  /** Parameters that are vectors, each with an attribute that it meets. */
  readonly parameters: Readonly<Record<string, string>>
  /** Whether the law reads displacements or distances. */
  readonly displaced: boolean
}

const known = new Remembered<Interaction, LawVectors | undefined>()

/** The vectors of a law; undefined if it has none. */
export function vectorsOf(law: Interaction): LawVectors | undefined {
  return known.of(law, () => {
    const names = [...symbolsOf(...Object.values(expressionsOf(law)))]
    const given = Object.keys(law.vectors ?? {})
    const all = groupsOf(names, given)
    if (all.length === 0) return undefined
    const groups = all.map((group) => group.filter((name) => !given.includes(name)))
    const met = all.flatMap((group, n) =>
      group.flatMap((name) => (given.includes(name) ? [[name, groups[n]?.[0] as string] as const] : [])),
    )
    return {
      groups,
      parameters: Object.fromEntries(met),
      displaced: names.some((name) => pairNames.includes(name)),
    }
  })
}

/** Whether a workload reads vectors of any length. */
export const readsVectors = (workload: Workload): boolean =>
  workload.loop === 'pair' && vectorsOf(workload.law) !== undefined

const attributesOf = (name: string): readonly string[] => [
  ...new Set(attributesIn(name).map(({ attribute }) => attribute)),
]

/** Joins the vectors of each fold, and folds that share a vector. */
function groupsOf(names: readonly string[], parameters: readonly string[]): readonly (readonly string[])[] {
  return names
    .filter((name) => vectorsIn(name))
    .map((name) => [
      ...attributesOf(name),
      ...[...symbolsOf(foldBody(name) as Expr)].filter((one) => parameters.includes(one)),
    ])
    .reduce<readonly (readonly string[])[]>((groups, vectors) => {
      const joined = groups.filter((group) => group.some((one) => vectors.includes(one)))
      return [...groups.filter((group) => !joined.includes(group)), [...new Set([...joined.flat(), ...vectors])].sort()]
    }, [])
}

/**
 * @param parameters those that are vectors
 * @throws TypeError for an attribute or a parameter that is a vector in one place and a number in another
 */
export function requireVectorsAlone(expressions: readonly Expr[], parameters: readonly string[] = []): void {
  const names = [...symbolsOf(...expressions)]
  const taken = parameters.find((name) => names.flatMap(attributesOf).includes(name))
  if (taken !== undefined)
    throw new TypeError(`"parameters" expected names that no vector of the points has, got "${taken}" for both`)
  const numbers = names.filter((name) => !vectorsIn(name)).flatMap(attributesOf)
  const both = groupsOf(names, parameters)
    .flat()
    .find((name) => numbers.includes(name))
  if (both !== undefined)
    throw new TypeError(
      `"${both}" expected one use, as a vector in dot, sqdist, norm or sum, or as a number, got both; give the number another name`,
    )
  const alone = parameters.find((name) => names.includes(name))
  if (alone !== undefined)
    throw new TypeError(
      `"${alone}" expected a number, got a list of them; a vector is read in dot, sqdist, norm or sum, as in dot(${alone}, x_j)`,
    )
}
