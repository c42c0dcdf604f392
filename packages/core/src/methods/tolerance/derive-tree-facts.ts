/**
 * Derives the facts for a sum with a tolerance from the formulas of its law. Engines load this file for workloads that no
 * compiler has prepared.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { toText } from '../../language/infix.ts'
import type { Expr } from '../../language/nodes.ts'
import { type Term, termOf } from '../../problem/workloads/quantity.ts'
import type { TreeFacts } from '../../problem/workloads/tree-facts.ts'
import type { Dimension, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { sourceWeights } from './source-weights.ts'

const known = new Remembered<PairWorkload, TreeFacts>()

/** @throws TypeError with the part of the law that a tree cannot approximate */
export function deriveTreeFacts(
  workload: PairWorkload,
  { dimension, sameSet }: Pick<Shape, 'dimension' | 'sameSet'>,
): TreeFacts {
  return known.of(workload, () => derived(workload, dimension, sameSet), `${dimension} ${sameSet}`)
}

function derived(workload: PairWorkload, dimension: Dimension, sameSet: boolean): TreeFacts {
  const separated = sourceWeights(workload, dimension)
  if (!separated.ok) throw new TypeError(`"method" does not suit ${workload.law.name}: ${separated.reason}`)
  const { weights } = separated
  const { self, exclusions } = workload.domain
  const term = termOf(workload, dimension)
  // A radial term vanishes at its own target, and a loop without lists is several times as fast.
  const skipsSelf = sameSet && self === 'exclude' && term.form !== 'radial'
  return { weights, skipsSelf, measured: measured(workload, term, dimension, skipsSelf || exclusions.length > 0) }
}

/** A workload with the components of terms, and their size as one more component. Its targets are a set of their own. */
function measured(
  { method: _, ...workload }: PairWorkload,
  term: Term,
  dimension: Dimension,
  exclusions: boolean,
): PairWorkload {
  const { law, domain } = workload
  const terms = textsOf(term, dimension)
  const size = terms.length === 1 ? `abs(${terms[0]})` : `sqrt(${terms.map((one) => `(${one})^2`).join(' + ')})`
  const expressions = Object.fromEntries([...terms, size].map((text, n) => [`c${n}`, text]))
  const { parameters, name } = law
  const made: PairWorkload = {
    ...workload,
    law: { name: `${name}, with sizes`, kind: 'term', expressions, parameters, symmetric: false },
    quantity: 'term',
    results: ['value'],
    total: false,
    // The lists are bound with each run.
    domain: { ...domain, exclusions: exclusions ? [[0, 0]] : [] },
  }
  return Object.freeze(made)
}

function textsOf(term: Term, dimension: Dimension): readonly string[] {
  const text = (e: Expr) => `(${toText(e)})`
  if (term.form === 'components') return term.components.map(text)
  return ['dx', 'dy', 'dz'].slice(0, dimension).map((axis) => `${text(term.coefficient)}*${axis}`)
}
