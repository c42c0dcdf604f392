/**
 * Laws over the same pairs as one law, so that one pass over the pairs computes them all.
 *
 * @module
 */
import type { Summed } from '../../problem/interactions/composed/sum-of.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { attributesOf, expressionsOf } from '../../problem/interactions/parse-interaction.ts'
import { vectorsOf } from '../../problem/interactions/vectors.ts'
import type { DomainOptions } from '../../problem/workloads/domain.ts'
import type { Summand } from '../numbers/pair-numbers.ts'
import { summed } from '../typed-at-once.ts'

interface Part {
  readonly law: Interaction
  readonly domain: DomainOptions
  readonly scale: number
  readonly method?: unknown
}

/** The most characters of the expressions of one pass, so that the sum stays far below the longest law that the language allows. */
const mostText = 1000

/** @param made makes the part of a sum of laws, with the domain and scale that all of them have */
export function inOnePass<P extends Part>(
  parts: readonly P[],
  made: (sum: Summed, parts: readonly P[]) => P,
): readonly P[] {
  const groups = new Map<unknown, P[]>()
  for (const part of parts) {
    const key = samePairs(part) ?? part
    groups.set(key, [...(groups.get(key) ?? []), part])
  }
  return [...groups.values()].flatMap(withoutClashes).flatMap((group) => {
    const length = group.reduce((sum, part) => sum + textOf(part).length, 0)
    return group.length === 1 || length > mostText ? group : [made(summed(group.map(({ law }) => law)), group)]
  })
}

/** The forces of each pass, by their places, as text. */
export const passesOf = (parts: readonly { readonly summands: readonly Summand[] }[]): string =>
  JSON.stringify(parts.map(({ summands }) => summands.map(({ place }) => place)))

/** The same text for laws that may be added up; undefined for a law with lists, tables, cutoffs for pairs or a method of its own. */
function samePairs({ law, domain, scale, method }: Part): string | undefined {
  const { exclusions = [], ...pairs } = domain as DomainOptions & { readonly exclusions?: readonly unknown[] }
  if (method || law.tables || law.functions || exclusions.length > 0) return undefined
  // Its text reads the parameters of one law.
  if (typeof pairs.cutoff === 'string') return undefined
  return JSON.stringify([law.kind, Object.keys(law.expressions), law.inertia, pairs, scale])
}

/** Parts of one group in as few as have no law with a vector that another reads as a number: a sum of laws has one use for each name. */
function withoutClashes<P extends Part>(group: readonly P[]): readonly (readonly P[])[] {
  const apart: P[][] = []
  for (const part of group) {
    const fitting = apart.find((others) => others.every((other) => !clash(part.law, other.law)))
    if (fitting) fitting.push(part)
    else apart.push([part])
  }
  return apart
}

function clash(one: Interaction, other: Interaction): boolean {
  const [a, b] = [usesOf(one), usesOf(other)]
  return a.vectors.some((name) => b.numbers.includes(name)) || b.vectors.some((name) => a.numbers.includes(name))
}

/** The attributes of a law that are vectors, and those that are numbers. */
function usesOf(law: Interaction): { readonly vectors: readonly string[]; readonly numbers: readonly string[] } {
  const vectors = vectorsOf(law)?.groups.flat() ?? []
  const { targets, sources } = attributesOf(Object.values(expressionsOf(law)))
  const numbers = [...targets, ...sources].filter((name) => !vectors.includes(name))
  return { vectors: vectors.filter((name) => !Object.hasOwn(law.vectors ?? {}, name)), numbers }
}

const textOf = ({ law }: Part): string => Object.values(law.expressions).join()
