/**
 * Derives the facts for a sum with a tolerance from the formulas of its law. Engines load this file for workloads that no
 * compiler has prepared.
 *
 * @module
 */

import { call, power, sqrt, sum } from '../../language/nodes.ts'
import { Remembered } from '../../problem/loaded-at-once.ts'
import { termOf } from '../../problem/typed-at-once.ts'
import type { Term } from '../../problem/workloads/quantity.ts'
import type { TreeFacts } from '../../problem/workloads/tree-facts.ts'
import type { Dimension, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { inComponents, lawOf, tooLong } from './derived-law.ts'
import { sourceWeights } from './source-weights.ts'
import { weightedWorkload } from './weighted.ts'

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
  const made = measured(workload, term, dimension, skipsSelf || exclusions.length > 0)
  const isTooLong = tooLong(made.law) || (weights.length > 0 && !weightedWorkload(workload, dimension))
  return { weights, skipsSelf, ...(!isTooLong && { measured: made }) }
}

/** A workload with the components of terms, and their size as one more component. Its targets are a set of their own. */
function measured(
  { method: _, ...workload }: PairWorkload,
  term: Term,
  dimension: Dimension,
  exclusions: boolean,
): PairWorkload {
  const { law, domain } = workload
  const terms = inComponents(term, dimension)
  const size = terms.length === 1 ? call('abs', ...terms) : sqrt(sum(...terms.map((one) => power(one, 2))))
  const made: PairWorkload = {
    ...workload,
    law: lawOf(`${law.name}, with sizes`, [...terms, size], law.parameters),
    quantity: 'term',
    results: ['value'],
    total: false,
    // The lists are bound with each run.
    domain: { ...domain, exclusions: exclusions ? [[0, 0]] : [] },
  }
  return Object.freeze(made)
}
