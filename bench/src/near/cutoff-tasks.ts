/**
 * Workloads with a cutoff, named by the number of points within it: `gravity near 20`, or `gravity near 30%` of all. Points lie
 * about 1 apart, or fill a square, so the number determines the cutoff.
 */

import {
  accelerations,
  countWithin,
  type DomainOptions,
  forces,
  gravity,
  lennardJones,
  nearest,
  neighborsWithin,
  type PairWorkload,
  pairTerm,
  periodic,
  reduce,
  sum,
} from '@manybody/core'
import { liquidEdge } from '../points.ts'

interface NearWorkload {
  /** What is computed with. */
  readonly name: string
  readonly workload: PairWorkload
  readonly steep: boolean
  readonly dimension: 2 | 3
}

const lj = lennardJones()
const squared = pairTerm('r2', { name: 'squared distance' })()
const bell = pairTerm('r2*exp(-r2)', { name: 'r2*exp(-r2)' })()
const long = pairTerm('erf(r)*exp(-r2) + sin(r)*log(1 + r2)', { name: 'erf, exp, sin and log' })()
const softened = gravity({ softening: 0.1 })

type Make = (domain: DomainOptions & { readonly cutoff: number }) => PairWorkload
interface Work {
  readonly make: Make
  readonly open?: true
  readonly steep?: true
  readonly plane?: true
}
const works: Readonly<Record<string, Work>> = {
  'lennard-jones': { make: (domain) => forces(lj, domain), steep: true },
  // One exclusion is enough to select the loop that can leave out pairs.
  'lennard-jones with exclusions': { make: (domain) => forces(lj, { ...domain, exclusions: [[0, 1]] }), steep: true },
  gravity: { make: (domain) => accelerations(softened, domain), open: true },
  'r2*exp(-r2)': { make: (domain) => sum(bell, domain), open: true },
  'r2*exp(-r2) in the plane': { make: (domain) => sum(bell, domain), open: true, plane: true },
  r2: { make: (domain) => sum(squared, domain), open: true },
  'long law': { make: (domain) => sum(long, domain), open: true },
  logsumexp: { make: (domain) => reduce('logsumexp', squared, domain), open: true },
  count: { make: ({ cutoff, ...domain }) => countWithin(cutoff, domain) },
  'open count': { make: ({ cutoff, ...domain }) => countWithin(cutoff, domain), open: true },
  lists: { make: ({ cutoff, ...domain }) => neighborsWithin(cutoff, domain), open: true },
  argmin: { make: (domain) => reduce('argmin', squared, domain), open: true },
  'nearest(8)': { make: (domain) => nearest(8, domain) },
  'nearest(8) in the plane': { make: (domain) => nearest(8, domain), open: true, plane: true },
  'nearest(64)': { make: (domain) => nearest(64, domain), open: true },
}

export const nearNames: readonly string[] = Object.keys(works)

/** The workload of that name; undefined if the name is not of this form. */
export function nearOf(task: string, count: number): NearWorkload | undefined {
  const [, name = '', number = '', percent] = /^(.+) near (\d+)(%?)$/.exec(task) ?? []
  const work = works[name]
  if (work === undefined) return undefined
  const near = percent ? (Number(number) / 100) * count : Number(number)
  const { make, open, steep = false, plane = false } = work
  if (plane) return { name, workload: make({ cutoff: Math.sqrt(near / count / Math.PI) }), steep, dimension: 2 }
  const edge = liquidEdge(count)
  const cutoff = Math.cbrt((edge ** 3 / count) * (near / ((4 / 3) * Math.PI)))
  const domain = open ? { cutoff } : { cutoff: Math.min(cutoff, edge / 2), boundary: periodic([edge, edge, edge]) }
  return { name, workload: make(domain), steep, dimension: 3 }
}
