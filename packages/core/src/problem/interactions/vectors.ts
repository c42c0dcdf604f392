/**
 * The vectors of a law: attributes of any length, which functions of vectors turn into numbers.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { vectorsIn } from '../../language/fold-names.ts'
import { attributesIn } from '../../language/lookups.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'
import type { Workload } from '../workloads/workload.ts'
import { type Interaction, pairNames } from './interaction.ts'
import { expressionsOf } from './parse-interaction.ts'

export interface LawVectors {
  /** Attributes that are vectors. Those of one group have one length, because a function meets their components in pairs. */
  readonly groups: readonly (readonly string[])[]
  /** Whether the law reads displacements or distances. */
  readonly displaced: boolean
}

const known = new Remembered<Interaction, LawVectors | undefined>()

/** The vectors of a law; undefined if it has none. */
export function vectorsOf(law: Interaction): LawVectors | undefined {
  return known.of(law, () => {
    const names = [...symbolsOf(...Object.values(expressionsOf(law)))]
    const groups = groupsOf(names)
    return groups.length === 0 ? undefined : { groups, displaced: names.some((name) => pairNames.includes(name)) }
  })
}

/** Whether a workload reads vectors of any length. */
export const readsVectors = (workload: Workload): boolean =>
  workload.loop === 'pair' && vectorsOf(workload.law) !== undefined

const attributesOf = (name: string): readonly string[] => [
  ...new Set(attributesIn(name).map(({ attribute }) => attribute)),
]

/** Joins the vectors of each fold, and folds that share a vector. */
function groupsOf(names: readonly string[]): readonly (readonly string[])[] {
  return names
    .filter((name) => vectorsIn(name))
    .map(attributesOf)
    .reduce<readonly (readonly string[])[]>((groups, vectors) => {
      const joined = groups.filter((group) => group.some((one) => vectors.includes(one)))
      return [...groups.filter((group) => !joined.includes(group)), [...new Set([...joined.flat(), ...vectors])].sort()]
    }, [])
}

/** @throws TypeError for an attribute that is a vector in one place and a number in another */
export function requireVectorsAlone(expressions: readonly Expr[]): void {
  const names = [...symbolsOf(...expressions)]
  const numbers = names.filter((name) => !vectorsIn(name)).flatMap(attributesOf)
  const both = groupsOf(names)
    .flat()
    .find((name) => numbers.includes(name))
  if (both !== undefined)
    throw new TypeError(
      `"${both}" expected one use, as a vector in dot, sqdist, norm or sum, or as a number, got both; give the number another name`,
    )
}
