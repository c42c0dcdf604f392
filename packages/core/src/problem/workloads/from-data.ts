/**
 * Workloads that may come from data, such as JSON. The functions that make workloads check them.
 *
 * @module
 */

import { describe, named, oneOf, unexpected } from '../loaded-at-once.ts'
import type { IndexOperation, ValueOperation } from '../reductions/table.ts'
import { cellIndex, stencil } from '../typed-at-once.ts'
import { optionsOf } from './define-domain.ts'
import { knownWorkloads } from './known-workloads.ts'
import {
  accelerations,
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  neighborsWithin,
  perTarget,
  potentials,
  reduce,
  sum,
  virial,
} from './pair.ts'
import { map } from './particle.ts'
import type { PairWorkload, Workload } from './workload.ts'

/** The same workload, checked. @throws TypeError, RangeError, {@link ExpressionError} */
export function workloadOf<Name extends string>(workload: Workload<Name>): Workload<Name> {
  if (workload?.results === undefined) {
    const law = typeof workload === 'function' ? 'a function' : 'expressions' in Object(workload) ? 'a law' : undefined
    throw new TypeError(`"workload" expected one, such as forces(gravity()), got ${law ?? describe(workload)}`)
  }
  return knownWorkloads.of(workload, build) as Workload<Name>
}

function build(given: Workload): Workload {
  oneOf(given.loop, 'workload.loop', ['pair', 'particle', 'grid'])
  if ('parameters' in given) named(given.parameters, 'workload.parameters')
  if (given.loop === 'grid') return stencil(given.outputs, given.grid, given.parameters)
  if (given.loop === 'pair') return buildPairs(given)
  oneOf(given.operation, 'workload.operation', ['map', 'cellIndex'])
  return given.operation === 'map' ? map(given.outputs, given.parameters) : cellIndex(given.grid)
}

const sums = { acceleration: accelerations, force: forces, potential: potentials, energy, virial } as const

/** Finds the function that made a workload by the names of its results. */
function buildPairs(given: PairWorkload): PairWorkload {
  const { law, reduction, k, limit, method } = given
  const domain = optionsOf(Object(given.domain))
  const { cutoff = Number.POSITIVE_INFINITY, switchDistance: _, shift: _shift, ...uncut } = domain
  const ofSum = { ...domain, ...(method !== undefined && { method }) }
  const results = String(given.results)
  const ofCutoff = { ...uncut, parameters: law?.parameters }
  if (Object.hasOwn(sums, results)) {
    const workload = sums[results as keyof typeof sums](law, ofSum)
    return given.total === false ? perTarget(workload) : workload
  }
  switch (results) {
    case 'index,distance':
      return nearest(k as number, { ...ofCutoff, ...(domain.cutoff !== undefined && { cutoff }) })
    case 'count':
      return limit === undefined ? countWithin(cutoff, ofCutoff) : countWithin(limit, law, domain)
    case 'offsets,index':
      return neighborsWithin(cutoff, ofCutoff)
    case 'value':
      if (reduction === 'sum') return sum(law, ofSum)
      if (reduction === 'none') return matrix(law, domain)
      return reduce(reduction as ValueOperation, law, domain)
    case 'index,value':
      if (reduction === 'least') return nearest(k as number, law, domain)
      return reduce(reduction as IndexOperation, law, domain)
  }
  throw unexpected('workload.results', 'those of a workload over pairs', given.results)
}
