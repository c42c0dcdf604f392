/**
 * Workloads with a cutoff, named by the number of points within it: `gravity near 20`, or `gravity near 30%` of all. Points lie
 * about 1 apart, or fill a square, so the number determines the cutoff; in a Plummer sphere it is a mean over the inner half.
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
import { liquidEdge, type PointPattern, seededPoints } from './points.ts'
import { attributesOf, overPoints, type Task } from './task.ts'

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
  readonly sphere?: true
  /** The side that has few points. The two sides are then different sets. */
  readonly few?: 'targets' | 'sources'
}

/** Points on the side with few points. */
const fewPoints = 128
/** The radius of the inner half of a Plummer sphere's points. */
const halfMass = 1.3
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
  'gravity in a sphere': { make: (domain) => accelerations(softened, domain), open: true, sphere: true },
  'count in a sphere': { make: ({ cutoff }) => countWithin(cutoff), open: true, sphere: true },
  'nearest(8) in a sphere': { make: () => nearest(8), open: true, sphere: true },
  'gravity of few': { make: (domain) => accelerations(softened, domain), open: true, few: 'sources' },
  'gravity on few': { make: (domain) => accelerations(softened, domain), open: true, few: 'targets' },
  'count of few': { make: ({ cutoff }) => countWithin(cutoff), open: true, few: 'sources' },
  'count on few': { make: ({ cutoff }) => countWithin(cutoff), open: true, few: 'targets' },
  'nearest(8) of few': { make: (domain) => nearest(8, domain), few: 'sources' },
  'nearest(8) on few': { make: (domain) => nearest(8, domain), few: 'targets' },
}

export const nearNames: readonly string[] = Object.keys(works)

/** The task of that name; undefined if the name is not of this form. */
export function cutoffTaskOf(task: string, count: number): Task<PairWorkload> | undefined {
  const [, name = '', number = '', percent] = /^(.+) near (\d+)(%?)$/.exec(task) ?? []
  const work = works[name]
  if (work === undefined) return undefined
  const { make, open, steep = false, plane, sphere, few } = work
  const side = (of: 'targets' | 'sources') => (few === of ? Math.min(fewPoints, count) : count)
  const [targets, sources] = [side('targets'), side('sources')]
  const share = percent ? Number(number) / 100 : Number(number) / sources
  const over = (domain: Parameters<Make>[0], pattern: PointPattern): Task<PairWorkload> => ({
    ...overPoints(name, make(domain), pattern, count),
    steep,
  })
  if (plane) return over({ cutoff: Math.sqrt(share / Math.PI) }, 'square')
  if (sphere) return over({ cutoff: halfMass * Math.cbrt(2 * share) }, 'sphere')
  // Two sets fill the same cube.
  const edge = few ? 1 : liquidEdge(count)
  const cutoff = edge * Math.cbrt(share / ((4 / 3) * Math.PI))
  const domain = open ? { cutoff } : { cutoff: Math.min(cutoff, edge / 2), boundary: periodic([edge, edge, edge]) }
  if (!few) return over(domain, 'liquid')
  const workload = make(domain)
  const set = (count: number, seed: number) => seededPoints('cube', count, seed, attributesOf(workload, 3))
  const particles = (seed: number) => ({ targets: set(targets, seed), sources: set(sources, seed + 1) })
  return { name, workload, dimension: 3, steep, targets, sources, particles }
}
