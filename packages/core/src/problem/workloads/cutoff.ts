/**
 * The cutoff of a pair as an expression: the number of the run, or a value for each pair, such as `radius_i + radius_j`.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { call, type Expr, power, product, symbol } from '../../language/nodes.ts'
import { apartFromDistance, attributesOf, expressionsOf, isShared } from '../interactions/parse-interaction.ts'
import { requireVectorsAlone } from '../interactions/vectors.ts'
import type { PairWorkload } from './workload.ts'

const ofRun = symbol('cutoff')

const parsed = new Remembered<PairWorkload, Expr | undefined>()

/**
 * The cutoff of each pair in the numbers of its points; undefined if it is a number of the run.
 *
 * @throws {@link ExpressionError}; TypeError for an attribute that is a vector of the law
 */
export function cutoffOfPairs(workload: PairWorkload): Expr | undefined {
  return parsed.of(workload, () => {
    const { domain, law } = workload
    const { distance } = domain.cutoff ?? {}
    if (typeof distance !== 'string') return undefined
    const e = apartFromDistance(distance, law)
    requireVectorsAlone([...Object.values(expressionsOf(law)), e])
    return e
  })
}

/** The attributes that the cutoffs of pairs read. */
export function cutoffReads(workload: PairWorkload): readonly string[] {
  const own = cutoffOfPairs(workload)
  const { targets, sources } = attributesOf(own ? [own] : [])
  return [...targets, ...sources]
}

/** The cutoff in the expressions of a workload that has one. */
export const cutoffOf = (workload: PairWorkload): Expr => cutoffOfPairs(workload) ?? ofRun

/** The square of a cutoff. It keeps the sign, because no pair is nearer than a negative cutoff. */
export function squareOfCutoff(workload: PairWorkload, unit: Expr | undefined): Expr {
  const inUnit = (e: Expr) => (unit ? product(e, power(unit, -1)) : e)
  const own = cutoffOfPairs(workload)
  return own ? product(inUnit(own), inUnit(call('abs', own))) : power(inUnit(ofRun), 2)
}

/** Whether both points of a pair have the same cutoff. */
export const sharesCutoff = (workload: PairWorkload): boolean => {
  const own = cutoffOfPairs(workload)
  return own === undefined || isShared(own, workload.law.tables)
}
