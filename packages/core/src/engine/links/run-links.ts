/**
 * Runs a workload over links: binds the numbers of the points to the ends of the links, lets a device compute the terms, and folds them.
 *
 * @module
 */

import { looksFinite } from '../../ground/arrays/magnitudes.ts'
import { type FloatArray, finite, onlyNamed, whileRunning } from '../../ground/checks.ts'
import { record } from '../../ground/names.ts'
import type { Precision } from '../../ground/precision.ts'
import { Remembered } from '../../ground/remember.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { foldText } from '../../language/fold-names.ts'
import { symbolsOf } from '../../language/nodes.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { vectorsOf } from '../../problem/interactions/vectors.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { requireDivisor } from '../../problem/workloads/bind.ts'
import { requireBox } from '../../problem/workloads/domain.ts'
import { mapSet } from '../../problem/workloads/map-set.ts'
import { requireInFloat32 } from '../../problem/workloads/numbers/float32-numbers.ts'
import {
  type Attributes,
  type CheckedSet,
  dimensionOf,
  isSet,
  noSet,
  requireInertia,
} from '../../problem/workloads/particles.ts'
import { kindsIn, requireKinds } from '../../problem/workloads/tables/kinds.ts'
import { tablesOf } from '../../problem/workloads/tables/run-tables.ts'
import { parametersApart, type Vectors, vectorTables } from '../../problem/workloads/vector-parameters.ts'
import { type Lengths, vectorSets } from '../../problem/workloads/vector-sets.ts'
import type { ArrayResults, Dimension } from '../../problem/workloads/workload.ts'
import { beyondEnds, readBy } from '../../simulation/forces/beyond-ends.ts'
import { numbersAt } from '../../simulation/forces/curve-calls.ts'
import type { KnownCall } from '../../simulation/forces/curve-scope.ts'
import { endNames } from '../../simulation/forces/end-names.ts'
import { membersOf, requirePoints } from '../../simulation/forces/ends.ts'
import { lookupsOfEnds } from '../../simulation/forces/link-calls.ts'
import type { NumbersByName } from '../../simulation/numbers/numbers.ts'
import { loadOf } from '../../truth/reference/particle-loop.ts'
import type { EngineRunOptions, RunReport, RunResult } from '../run-types.ts'
import { endArrays, type LinkEnds, type LinkedPoints, linkEnds } from './link-ends.ts'
import { foldEnds, inPrecision, nameOfLink } from './link-fold.ts'
import { asMapOfPoints, type LinkMap, type LinkStage, linkMap, namesRead } from './link-map.ts'
import { bondWorkload, type LinkWorkload, linkWorkloadOf } from './over-links.ts'

/** The options of a run over links. */
export type LinkRunOptions = Pick<EngineRunOptions, 'signal' | 'onProgress' | 'parameters' | 'tables'>

/** A checked run. */
export interface LinkRun extends LinkedPoints {
  readonly workload: LinkWorkload
  readonly points: number
  readonly map: LinkMap
}

const options = ['signal', 'onProgress', 'parameters', 'tables']

/** Checks the data of a run. @throws TypeError, RangeError */
export function boundLinks(
  given: LinkWorkload,
  particles: Attributes,
  runOptions: LinkRunOptions,
  precision: Precision,
): LinkRun {
  const { parameters: overrides = {}, tables: others } = onlyNamed(
    runOptions,
    'run option of links',
    options,
    whileRunning,
  )
  if (!isSet(particles)) throw noSet('particles', '{ position, ... }', particles)
  const workload = linkWorkloadOf(given)
  const { links, reduction } = workload
  const dimension = dimensionOf(particles.dimension, '')
  if ('dihedrals' in links && dimension !== 3)
    throw new RangeError(`"dimension" expected 3, because dihedrals turn in space, got ${dimension}`)
  if ('angles' in links && dimension === 1)
    throw new RangeError('"dimension" expected 2 or 3, because angles do not turn on a line, got 1')
  requireBox(links.boundary, dimension)
  const { numbers, vectors } = parametersApart('bonds' in links ? links.law : {}, overrides)
  const { set, lengths } = pointsOf(workload, particles, dimension, vectors)
  if (set.count <= farthest.of(links, () => farthestIn(links))) requirePoints(links, set.count)
  const parameters = numbersOf(workload, numbers ?? {})
  const ofRun = 'bonds' in links ? tablesOf(links.law, others) : noTables(others)
  const tables = ofRun && { ...ofRun, ...vectorTables(vectors) }
  if ('bonds' in links) {
    requireDivisor(bondWorkload(reduction, links), dimension, set)
    for (const side of ['i', 'j'] as const)
      if (tables) requireKinds(kindsIn(lookupsOfEnds(links.law), tables), side, set, '')
  } else if (reduction === 'acceleration') requireInertia(links.law.inertia as string, set)
  const rounding = precision === 'f32' ? 2 ** -24 : 2 ** -53
  const map = linkMap(workload, { dimension, vectors: set.vectors, rounding, parameters })
  if (precision === 'f32') {
    for (const [name, array] of Object.entries(set.arrays)) requireInFloat32(array, name)
    if ('bonds' in links) requireComponents(links.law, { ...links.law.vectors, ...vectors }, parameters)
  }
  const shape = { dimension, vectors: set.vectors }
  return { workload, points: set.count, map, arrays: set.arrays, shape, parameters, tables, lengths, precision }
}

/**
 * The points of a run, and the lengths of the vectors that its law reads.
 *
 * @param parameters the vectors that the run brings
 * @throws TypeError, RangeError
 */
function pointsOf(
  workload: LinkWorkload,
  particles: Attributes,
  dimension: Dimension,
  parameters: Vectors,
): { readonly set: CheckedSet; readonly lengths: Lengths | undefined } {
  const { links } = workload
  const vectors = 'bonds' in links ? vectorsOf(links.law) : undefined
  if (!('bonds' in links) || !vectors) {
    return { set: mapSet(asMapOfPoints(workload, dimension), particles), lengths: undefined }
  }
  const names = namesRead(workload, dimension)
  const reads = names.filter((name) => !name.startsWith('position_'))
  // A force points along the displacement, also if its size does not depend on it.
  const facts = { ...vectors, placed: reads.length < names.length }
  const { sets, lengths } = vectorSets([{ given: particles, prefix: '', reads }], facts, links.law.name, {
    ...links.law.vectors,
    ...parameters,
  })
  return { set: sets[0] as CheckedSet, lengths }
}

const farthest = new Remembered<LinkWorkload['links'], number>()

/** The largest index of a point. */
function farthestIn(links: LinkWorkload['links']): number {
  let most = -1
  for (const points of membersOf(links)) for (const point of points) if (point > most) most = point
  return most
}

function noTables(given: LinkRunOptions['tables']): undefined {
  if (given !== undefined) throw new TypeError('"tables" expected bonds, because laws of angles have no tables')
}

/** The numbers of the law. @throws TypeError, RangeError */
function numbersOf({ links }: LinkWorkload, overrides: NumbersByName): NumbersByName {
  const { law, attributes } = links
  const ofLinks = Object.keys(overrides).find((name) => Object.hasOwn(attributes, name))
  if (ofLinks !== undefined)
    throw new TypeError(
      `"parameters.${ofLinks}" has a number for each link; make the workload again with other attributes`,
    )
  const known = Object.keys(law.parameters)
  const least = record(Object.entries(('minimum' in law && law.minimum) || {}))
  for (const [name, value] of Object.entries(onlyNamed(overrides, `parameter of ${law.name}`, known)))
    finite(value, name, least[name] as number | undefined)
  return { ...law.parameters, ...overrides }
}

/** Checks the parameters that functions of vectors read: the host computes these, so no map does. @throws RangeError */
function requireComponents(law: Interaction, vectors: Vectors, parameters: NumbersByName): void {
  for (const [name, numbers] of Object.entries(vectors)) requireInFloat32(Float64Array.from(numbers), name)
  const bodies = lookupsOfEnds(law).flatMap((name) => foldBody(name) ?? [])
  for (const name of symbolsOf(...bodies)) {
    const value = parameters[name]
    if (value !== undefined) requireInFloat32(Float64Array.of(value), name)
  }
}

/** Arrays of ends by name. */
type EndNumbers = Readonly<Record<string, FloatArray>>

/** The numbers that the maps of the ends read. */
export const numbersOfEnds = (run: LinkRun, ends: LinkEnds): EndNumbers => endArrays(run.workload, run.map, ends, run)

/** The steps of a call. @param found those that its map has found @param numbers those that the map reads */
export type StepsOf = (call: KnownCall, found: FloatArray, numbers: EndNumbers) => FloatArray

/**
 * Runs the maps of the ends, one after the other.
 *
 * @param stepsOf gives the steps of a call; by default those that its map has found
 * @returns the results of the last one, and the numbers that the maps read
 */
export async function runMaps<Ran extends object>(
  { map, shape, precision }: LinkRun,
  ends: LinkEnds,
  numbers: EndNumbers,
  compute: (bound: Bound) => Promise<Ran> | Ran,
  stepsOf: StepsOf = (_, found) => found,
): Promise<{ readonly last: Ran; readonly numbers: EndNumbers }> {
  const { dimension } = shape
  const { count } = ends
  const Numbers = precision === 'f32' ? Float32Array : Float64Array
  const ranOf = ({ workload, arrays, vectors }: LinkStage, given: EndNumbers) => {
    const set = { count, arrays: Object.fromEntries(arrays.map((name) => [name, given[name] as FloatArray])) }
    const { parameters } = workload
    const bindings = { targets: set, sources: set, parameters }
    return compute({ workload, shape: { dimension, targets: count, sources: 0, sameSet: true, vectors }, bindings })
  }
  let all = numbers
  for (const stage of map.stages.slice(0, -1)) {
    const ran = (await ranOf(stage, all)) as EndNumbers
    const [result = ''] = stage.workload.results
    const { call } = stage
    const found = call
      ? numbersAt(call.looked, stepsOf(call, ran[result] as FloatArray, all))
      : Object.fromEntries(stage.workload.results.map((name) => [name, ran[name] as FloatArray]))
    const held = Object.entries(found).map(([name, list]) => [name, call ? new Numbers(list) : list] as const)
    all = { ...all, ...Object.fromEntries(held) }
  }
  return { last: await ranOf(map.stages.at(-1) as LinkStage, all), numbers: all }
}

/** @throws RangeError for a total that is not finite */
export async function runLinks<Name extends string, P extends Precision>(
  run: LinkRun,
  compute: (bound: Bound) => Promise<RunResult<'term', P>>,
): Promise<RunResult<Name, P>> {
  const { workload, points, precision } = run
  const ends = linkEnds(workload)
  const { last, numbers } = await runMaps(run, ends, numbersOfEnds(run, ends), compute)
  const { term, report } = last
  const width = widthOf(run)
  const results = foldEnds(workload, ends, points, term as FloatArray, width)
  const why = whyStray(run, ends, { term, report, numbers })
  const { notes: _, ...rest } = report
  const notes = [...(report.notes ?? []).filter((note) => !note.startsWith(ofTerm)), ...(why ? [why] : [])]
  const named = notes.length > 0 ? { ...rest, notes } : rest
  const { reduction } = workload
  if (reduction !== 'energy' && reduction !== 'virial')
    return { ...inPrecision(results, precision), report: named } as RunResult<Name, P>
  const [total = 0] = results[reduction] ?? []
  if (!Number.isFinite(total))
    throw new RangeError(
      `Cannot add up "${reduction}" to a number, got ${total}: ${why ?? 'the sum exceeds float64; use other units'}`,
    )
  return { [reduction]: total, report: named } as unknown as RunResult<Name, P>
}

/** How many numbers a term has. */
export const widthOf = ({ map }: Pick<LinkRun, 'map'>): number => map.terms.length

const ofTerm = '"term" of point '

/** A sentence about the first term that is not finite. @param numbers those that the maps read */
function whyStray(
  run: LinkRun,
  { link }: LinkEnds,
  { term, report, numbers }: Record<'term', ArrayResults[string]> & { report: RunReport; numbers: EndNumbers },
): string | undefined {
  if (looksFinite(term as FloatArray)) return undefined
  const at = term.findIndex((x) => !Number.isFinite(x))
  if (at < 0) return undefined
  const end = Math.floor(at / widthOf(run))
  const found = report.notes?.find((note) => note.startsWith(ofTerm))
  const beyond = beyondAt(end, run, numbers)
  const reason = beyond === undefined ? found && inLaw(run.workload, found.slice(found.indexOf(': '))) : `: ${beyond}`
  return `the term of ${nameOfLink(run.workload, link[end] as number)} is ${term[at]}${reason ?? ''}`
}

/** A text with the functions of the law in place of the numbers that the host found for them. */
const inLaw = ({ links }: LinkWorkload, text: string): string =>
  ('bonds' in links ? lookupsOfEnds(links.law) : []).reduceRight(
    (all, name, n) => all.replaceAll(endNames.table(n), foldText(name) ?? name),
    text,
  )

/** Names the function that an end reads beyond its ends. */
function beyondAt(end: number, { map, shape }: LinkRun, numbers: EndNumbers): string | undefined {
  const calls = map.stages.flatMap(({ call }) => call ?? [])
  const vectors = map.stages.flatMap((stage) => stage.vectors)
  const load = (name: string) => loadOf(name, {}, { ...shape, vectors }, numbers)(end)
  const values = [...symbolsOf(...calls.flatMap(readBy))].map(
    (name) => [name, map.parameters[name] ?? load(name)] as const,
  )
  return beyondEnds(calls, Object.fromEntries(values))
}
