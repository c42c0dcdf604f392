/**
 * A job: one run of a workload over pairs, as data. A worker gets it as JSON. It executes only laws that core has parsed.
 *
 * @module
 */
import type { PairWorkload, Plan, Precision, Range, Shape, Workload } from '@manybody/core'
import {
  describe,
  finite,
  flag,
  isSizeOfKind,
  lawFact,
  oneOf,
  onlyNamed,
  parametersOf,
  positive,
  requireBox,
  runRanges,
  unexpected,
  usualCutoff,
  whole,
} from '@manybody/core/backend'
import { symbolsOf } from '@manybody/core/expression'
import { tableParameters, tablesLength, workloadOf } from '@manybody/core/judge'
import { type ArrayRef, byteLengthOf, checkedRef } from './arrays.ts'

/** Raised when coordinators and workers of different versions would misunderstand each other. */
export const protocol = 6

type Refs = Readonly<Record<string, ArrayRef>>

/** The arrays of the bindings. `sources` is absent where targets and sources are one set. Exclusions are in the workload. */
export interface JobArrays {
  readonly targets: Refs
  readonly sources?: Refs
  readonly ranges?: Refs
  readonly lists?: Refs
  /** `numbers` joins the numbers of all tables. The workload has their shapes. */
  readonly tables?: Refs
}

export interface ClusterJob {
  readonly precision: Precision
  readonly workload: PairWorkload
  readonly shape: Shape
  /** The plan that every worker uses. If there is none, the backend of each worker chooses. */
  readonly plan: Plan | undefined
  readonly parameters: Readonly<Record<string, number>>
  /** The ranges of the whole run. */
  readonly targets: Range
  readonly sources: Range
  readonly arrays: JobArrays
}

/** JSON has neither infinities nor a negative zero. */
const written = (number: number) =>
  Number.isFinite(number) && !Object.is(number, -0) ? number : String(number === 0 ? '-0' : number)

export function encoded({ parameters, ...job }: ClusterJob): Uint8Array {
  const numbers = Object.fromEntries(Object.entries(parameters).map(([name, number]) => [name, written(number)]))
  return new TextEncoder().encode(JSON.stringify({ protocol, ...job, parameters: numbers }))
}

/** The most bytes that the arrays of a job may have, in total. */
const largestJob: number = 8 * 2 ** 30

/**
 * Checks a job that came from another process. `requireSound` checks its arrays once they have arrived.
 *
 * @param checked returns a checked workload, as {@link workloadOf} does
 * @throws TypeError, RangeError, ExpressionError if the text is not a job that a worker may run
 */
export function jobFrom(text: string, checked: (given: Workload) => Workload = workloadOf): ClusterJob {
  const given = Object(JSON.parse(text)) as ClusterJob & { readonly protocol: unknown }
  if (given.protocol !== protocol)
    throw new TypeError(
      `"protocol" expected ${protocol}, got ${describe(given.protocol)}; use one version of manybody everywhere`,
    )
  const workload = checked(given.workload)
  if (workload.loop !== 'pair')
    throw new TypeError(`"workload" expected a loop over pairs, got one over ${workload.loop}s`)
  const precision = oneOf(given.precision, 'precision', ['f32', 'f64'])
  const shape = shapeFrom(given.shape)
  requireBox(workload.domain.boundary, shape.dimension)
  const { targets, sources } = runRanges(workload, shape, given)
  const plan = given.plan === undefined ? undefined : planFrom(given.plan)
  const parameters = parametersFrom(given.parameters, workload, shape)
  return {
    precision,
    workload,
    shape,
    plan,
    parameters,
    targets,
    sources,
    arrays: arraysFrom(given.arrays, shape, workload),
  }
}

/** The most points of a job. More would not fit the memory of a worker. */
const mostPoints = 2 ** 31

function shapeFrom(given: Shape): Shape {
  const { dimension, targets, sources, sameSet, split, scaled, ranged } = Object(given) as Partial<Shape>
  if (dimension !== 1 && dimension !== 2 && dimension !== 3) throw unexpected('shape.dimension', '1, 2 or 3', dimension)
  const counts = { targets: whole(targets, 'shape.targets', 0), sources: whole(sources, 'shape.sources', 0) }
  flag(sameSet, 'shape.sameSet')
  if (counts.targets > mostPoints || counts.sources > mostPoints || (sameSet && counts.targets !== counts.sources))
    throw new RangeError(`"shape" expected at most ${mostPoints} points, as many sources as targets in one set`)
  const flags = Object.entries({ split, scaled, ranged }).filter(([, value]) => value !== undefined)
  for (const [name, value] of flags) if (value !== true) throw unexpected(`shape.${name}`, 'true', value)
  return { dimension, ...counts, sameSet: sameSet as boolean, vectors: ['position'], ...Object.fromEntries(flags) }
}

function planFrom({ variant, sizes = {} }: Plan): Plan {
  if (typeof variant !== 'string') throw unexpected('plan.variant', 'a name', variant)
  for (const [name, size] of Object.entries(Object(sizes))) whole(size, `plan.sizes.${name}`, 0)
  return { variant, sizes }
}

/** The parameters that core adds to a run with split or scaled coordinates. */
const added = { split: ['lowestNumber', 'boxLowX', 'boxLowY', 'boxLowZ'], scaled: ['lengthUnit'] } as const

function parametersFrom(given: unknown, workload: PairWorkload, shape: Shape): Readonly<Record<string, number>> {
  const all = Object.fromEntries(Object.entries(Object(given)).map(([name, n]) => [name, Number(n)]))
  const ofLaw = Object.entries(all).filter(([name]) => Object.hasOwn(workload.law.parameters, name))
  const known = parametersOf(workload, Object.fromEntries(ofLaw))
  const ofPairs = typeof workload.domain.cutoff?.distance === 'string' ? [usualCutoff] : []
  const others = [...(shape.split ? added.split : []), ...(shape.scaled ? added.scaled : []), ...ofPairs]
  const ofKinds = sizesIn(workload, shape)
  onlyNamed(all, 'parameter of this job', [...Object.keys(known), ...others, ...ofKinds])
  for (const name of others) if (all[name] !== undefined) finite(all[name], name)
  for (const name of ofKinds) finite(all[name], name)
  if (shape.scaled) positive(all.lengthUnit, 'lengthUnit')
  if (all[usualCutoff] !== undefined) positive(all[usualCutoff], usualCutoff)
  return { ...all, ...known, ...domainFrom(all, known, workload), ...placesFrom(all, workload) }
}

/** The sizes of kinds that a program for the workload reads, all of them. */
function sizesIn(workload: PairWorkload, shape: Shape): readonly string[] {
  const sizes = lawFact('sizes', workload, shape)
  return sizes ? [...symbolsOf(sizes.target, sizes.source)].filter(isSizeOfKind) : []
}

/**
 * The cutoff and the box of now. A simulation changes them, and the workload has those of its start. How far cutoffs of pairs reach depends
 * on the points, so the coordinator knows it alone.
 */
function domainFrom(
  all: Readonly<Record<string, number>>,
  known: Readonly<Record<string, number>>,
  { law, domain }: PairWorkload,
): Readonly<Record<string, number>> {
  const names = Object.keys(known).filter((name) => Object.hasOwn(all, name) && !Object.hasOwn(law.parameters, name))
  const now = names.map((name) => [name, (/^(cutoff|box[XYZ])$/.test(name) ? positive : finite)(all[name], name)])
  const reach = typeof domain.cutoff?.distance === 'string' && { cutoff: positive(all.cutoff, 'cutoff') }
  return { ...Object.fromEntries(now), ...reach }
}

/** The places of the tables of a run. They may have other numbers of kinds and of nodes than the law's. */
function placesFrom(
  all: Readonly<Record<string, number>>,
  { law: { tables } }: PairWorkload,
): Readonly<Record<string, number>> {
  if (!tables) return {}
  const names = Object.keys(tableParameters(tables)).filter((name) => Object.hasOwn(all, name))
  const places = Object.fromEntries(names.map((name) => [name, finite(all[name], name)]))
  if (names.length > 0 && tablesLength(tables, places) === undefined)
    throw new RangeError('"tables" expected parameters that place them one after the other, got others')
  return places
}

function arraysFrom(given: JobArrays, shape: Shape, { law }: PairWorkload): JobArrays {
  const optional = [
    ...(shape.sameSet ? [] : ['sources']),
    ...(shape.ranged ? ['ranges'] : []),
    ...(law.tables ? ['tables'] : []),
  ]
  const groups = ['targets', ...optional, 'lists']
  let bytes = 0
  const read = Object.entries(onlyNamed(Object(given) as JobArrays, 'group of arrays', groups)).map(([group, refs]) => {
    const checked = Object.entries(Object(refs) as Refs).map(([name, ref]) => {
      const one = checkedRef(ref, `${group}.${name}`)
      bytes += byteLengthOf(one)
      return [name, one]
    })
    return [group, Object.fromEntries(checked)]
  })
  if (bytes > largestJob)
    throw new RangeError(`Cannot run job: its arrays have ${bytes} bytes, more than ${largestJob}`)
  return { targets: {}, ...Object.fromEntries(read) }
}
