/**
 * The vectors of a law: attributes of any length, which functions of vectors turn into numbers.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { isVector, vectorsIn } from '../../language/fold-names.ts'
import { attributesIn } from '../../language/lookups.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'
import type { Workload } from '../workloads/workload.ts'
import { type Interaction, pairNames } from './interaction.ts'
import { expressionsOf } from './parse-interaction.ts'

export interface LawVectors {
  /** Attributes and parameters that are vectors. Those of one group have one length, because a function meets their components in pairs. */
  readonly groups: readonly (readonly string[])[]
  /** An attribute with as many components as the term; undefined if the term is a number. */
  readonly term: string | undefined
  /** Whether the law reads displacements or distances. */
  readonly displaced: boolean
}

const known = new Remembered<Interaction, LawVectors | undefined>()

/** The vectors of a law; undefined if it has none. */
export function vectorsOf(law: Interaction): LawVectors | undefined {
  return known.of(law, () => {
    const names = [...symbolsOf(...Object.values(expressionsOf(law)))]
    const groups = groupsOf(names, Object.keys(law.vectors ?? {}))
    const term = names.filter(isVector).flatMap(attributesOf)[0]
    return groups.length === 0 ? undefined : { groups, term, displaced: names.some((name) => pairNames.includes(name)) }
  })
}

/** Whether the term of a law is a vector. */
export const isVectorTerm = (law: Interaction): boolean => vectorsOf(law)?.term !== undefined

/** Whether a workload reads vectors of any length. */
export const readsVectors = (workload: Workload): boolean =>
  workload.loop === 'pair' && vectorsOf(workload.law) !== undefined

const attributesOf = (name: string): readonly string[] => [
  ...new Set(attributesIn(name).map(({ attribute }) => attribute)),
]

/** Joins the vectors of each fold, folds that share a vector, and the vectors of the term. */
function groupsOf(names: readonly string[], parameters: readonly string[]): readonly (readonly string[])[] {
  const readIn = (name: string) => [
    ...attributesOf(name),
    ...[...symbolsOf(foldBody(name) as Expr)].filter((one) => parameters.includes(one)),
  ]
  const folds = names.filter((name) => vectorsIn(name) && !isVector(name)).map(readIn)
  return [...folds, names.filter(isVector).flatMap(readIn)].reduce<readonly (readonly string[])[]>(
    (groups, vectors) => {
      if (vectors.length === 0) return groups
      const joined = groups.filter((group) => group.some((one) => vectors.includes(one)))
      return [...groups.filter((group) => !joined.includes(group)), [...new Set([...joined.flat(), ...vectors])].sort()]
    },
    [],
  )
}

/**
 * @param parameters those that are vectors
 * @throws TypeError for a name of a vector that has another use
 */
export function requireVectorsAlone(expressions: readonly Expr[], parameters: readonly string[] = []): void {
  const names = [...symbolsOf(...expressions)]
  const numbers = names.filter((name) => !vectorsIn(name)).flatMap((name) => [name, ...attributesOf(name)])
  const vectors = [...groupsOf(names, []).flat(), ...parameters]
  const both = vectors.find((name, n) => numbers.includes(name) || vectors.indexOf(name) < n)
  if (both !== undefined)
    throw new TypeError(
      `"${both}" expected one use, as a vector in dot, sqdist, norm, sum or vector, or as a number, got both; give one of them another name`,
    )
}
