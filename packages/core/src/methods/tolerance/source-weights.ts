/**
 * Finds the numbers of a source that a tree can add up. A tree replaces far sources by a few at other places, the *proxies*. This is right
 * for every law that is linear in such numbers.
 *
 * The term of a pair is written as a sum of products: functions of the source's attributes, the *weights*, times functions of
 * the displacement and the target. Any law with few weights qualifies, smooth or not; how well proxies do is measured.
 *
 * @module
 */

import { productOf, sumOf } from '../../language/canonical.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, isConstant, key, symbol, symbolsOf } from '../../language/nodes.ts'
import { type Group, type SeparatedPart, separate } from '../../language/separate.ts'
import { factor } from '../../language/simplify.ts'
import { functionOf, parseAttribute, Remembered, ruleOf } from '../../problem/loaded-at-once.ts'
import { expressionsIn, termOf } from '../../problem/typed-at-once.ts'
import type { Term } from '../../problem/workloads/quantity.ts'
import type { SourceWeight } from '../../problem/workloads/tree-facts.ts'
import type { Dimension, PairWorkload } from '../../problem/workloads/workload.ts'

/**
 * The weights and the term that reads them in place of the source's attributes, or a sentence that says why a tree cannot be used.
 * There are no weights if the term is 0, like the force of a constant energy.
 */
export type Separated =
  | { readonly ok: true; readonly weights: readonly SourceWeight[]; readonly term: Term }
  | { readonly ok: false; readonly reason: string }

/** With more weights than this, proxies would be larger than the points they replace. */
const mostWeights = 8

const separated = new Remembered<PairWorkload, Separated>()

/** The weights of a workload, or a refusal with a remedy if a tree cannot approximate it. */
export function sourceWeights(workload: PairWorkload, dimension: Dimension): Separated {
  return separated.of(
    workload,
    () => refusalOf(workload, dimension) ?? separateTerm(workload, dimension),
    String(dimension),
  )
}

function refusalOf(workload: PairWorkload, dimension: Dimension): Separated | undefined {
  const { domain, law, reduction } = workload
  const refuse = (reason: string): Separated => ({ ok: false, reason })
  if (!ruleOf(workload).linear) return refuse(`a tree approximates sums, not "${reduction}"; leave out the tree`)
  if (dimension === 1) return refuse('a tree needs points in 2-D or 3-D, got 1-D; leave out the tree')
  if (domain.cutoff)
    return refuse('a cutoff leaves out far points exactly, and needs no tree; leave out one of the two')
  if (law.tables)
    return refuse(
      `a tree adds up sources before it meets a target, and ${[...new Set(Object.keys(law.tables).map((name) => functionOf(name) ?? name))].join(', ')} needs the kinds of both points, or their distance; use a cutoff, or sum each kind of source by itself`,
    )
  if (domain.boundary.kind === 'periodic')
    return refuse(
      'in a periodic box the term of a pair jumps where the nearest image changes, and no tree can follow; use a cutoff',
    )
  return undefined
}

function separateTerm(workload: PairWorkload, dimension: Dimension): Separated {
  const { law, quantity } = workload
  const term = termOf(workload, dimension)
  const expressions = expressionsIn(term)
  const separations = expressions.map((e) => separate(e, groupIn(Object.keys(law.parameters))))
  const what = `the ${quantity} of ${law.name}`
  const lists: (readonly SeparatedPart[])[] = []
  for (const separation of separations) {
    if ('mixed' in separation) return { ok: false, reason: mixedReason(what, separation.mixed) }
    lists.push(separation.parts.filter(({ coefficient }) => !isConstant(coefficient, 0)))
  }
  const weights = named([...new Map(lists.flat().map(({ weight }) => [key(weight), weight])).values()], expressions)
  if (weights.length > mostWeights) {
    const reason = `${what} needs ${weights.length} numbers of each source that can be added up, and a tree takes at most ${mostWeights}; use a cutoff`
    return { ok: false, reason }
  }
  const attributeOf = new Map(weights.map(({ attribute, value }) => [key(value), symbol(`${attribute}_j`)]))
  const rebuilt = lists.map((parts) =>
    factor(sumOf(parts.map((p) => productOf([p.coefficient, attributeOf.get(key(p.weight)) as Expr])))),
  )
  const components = term.form === 'components'
  return { ok: true, weights, term: components ? { form: 'components', components: rebuilt } : radial(rebuilt) }
}

const radial = ([coefficient]: readonly Expr[]): Term => ({ form: 'radial', coefficient: coefficient as Expr })

const groupIn =
  (parameters: readonly string[]) =>
  (name: string): Group => {
    if (parameters.includes(name)) return 'either'
    return parseAttribute(name)?.side === 'j' ? 'weight' : 'coefficient'
  }

/** Gives each weight the name of its attribute, or a free one. */
function named(values: readonly Expr[], expressions: readonly Expr[]): readonly SourceWeight[] {
  const taken = new Set([...symbolsOf(...expressions)].map((name) => parseAttribute(name)?.attribute))
  let next = 0
  return values.map((value) => {
    if (value.kind === 'symbol') return { attribute: parseAttribute(value.name)?.attribute as string, value }
    do next++
    while (taken.has(`weight${next}`))
    return { attribute: `weight${next}`, value }
  })
}

function mixedReason(what: string, mixed: Expr): string {
  const symbols = [...symbolsOf(mixed)]
  const own = symbols.filter((name) => parseAttribute(name)?.side === 'j')
  const others = symbols.filter((name) => parseAttribute(name)?.side === 'i' || /^(r2|d[xyz])$/.test(name))
  return `${what} is not linear in functions of the source: "${toText(mixed)}" mixes ${own.join(', ')} with ${others.join(', ')}, so far sources cannot be added up; use a cutoff`
}
