/**
 * Checks the results of a workload over links: the terms of some points, or of some links, are computed again in float64, and folded. The
 * bounds of the terms come from the analysis of their map.
 *
 * @module
 */
import { type FloatArray, whole } from '../../ground/checks.ts'
import { evaluator } from '../../language/evaluate.ts'
import { symbol, symbolsOf } from '../../language/nodes.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import type { ArrayResults } from '../../problem/workloads/workload.ts'
import { stepOf } from '../../simulation/forces/curve-calls.ts'
import { membersOf } from '../../simulation/forces/ends.ts'
import { type Arithmetic, arithmeticOf } from '../../truth/error-analysis/arithmetic.ts'
import { distance, type Judged, roundedOf } from '../../truth/error-analysis/judging.ts'
import { expressionErrors } from '../../truth/reference/element-errors.ts'
import { loadOf } from '../../truth/reference/particle-loop.ts'
import type { RunReport } from '../run-types.ts'
import { truthOf } from '../truth.ts'
import { type Verification, verificationOf } from '../verification.ts'
import { type LinkEnds, linkEnds } from './link-ends.ts'
import { foldEnds } from './link-fold.ts'
import type { LinkStage } from './link-map.ts'
import { endsInTotal, foldedBy } from './over-links.ts'
import { type LinkRun, numbersOfEnds, runMaps, type StepsOf, widthOf } from './run-links.ts'

/** The numbers of some ends in float64. */
interface TrueTerms {
  readonly ends: LinkEnds
  readonly width: number
  readonly values: FloatArray
  /** How far a device may be from each. */
  readonly bounds: Float64Array
}

/** @param ran the results of the run */
export async function verifyLinks(
  run: LinkRun,
  { report, ...ran }: { readonly report: RunReport } & Readonly<Record<string, unknown>>,
  sample = 64,
): Promise<Verification> {
  whole(sample, 'sample', 1)
  const { workload, points, map } = run
  const kind = kindOf(run)
  const count = { link: membersOf(workload.links).length, total: 1, point: points }[kind]
  const rows = Array.from({ length: Math.min(sample, count) }, (_, n) =>
    Math.floor(((n + 0.5) * count) / Math.min(sample, count)),
  )
  const chosen = new Set(rows)
  const ends = linkEnds(workload, (point, link) => kind === 'total' || chosen.has(kind === 'link' ? link : point))
  const terms = await trueTerms(run, ends, report)
  const { width } = terms
  // The folds of the chosen links are in the order of the rows already.
  const all = foldEnds(workload, ends, points, terms.values, width)
  const sizes = sizesOf(run, terms)
  const results: ArrayResults = Object.fromEntries(
    Object.entries(ran).map(([name, of]) => [name, typeof of === 'number' ? Float64Array.of(of) : (of as FloatArray)]),
  )
  const rowAt = (row: number) => (kind === 'link' ? rows.indexOf(row) : row)
  const judged = rows.map((row) =>
    judgedRow(run, row, { ...terms, results, all, sizes, at: rowAt(row), arithmetic: arithmeticOf(report) }),
  )
  const picked = (from: ArrayResults, place: (row: number) => number): ArrayResults =>
    Object.fromEntries(
      Object.entries(from).map(([name, array]) => {
        const each = name === 'index' ? 1 : width
        const parts = rows.map((row) => Array.from(array.subarray(place(row) * each, (place(row) + 1) * each)))
        return [name, array instanceof Int32Array ? Int32Array.from(parts.flat()) : Float64Array.from(parts.flat())]
      }),
    )
  const truth = picked(all, rowAt)
  const scale = Float64Array.from(rows, (row) =>
    Math.max(...sizes.subarray(rowAt(row) * width, (rowAt(row) + 1) * width)),
  )
  const scales = Object.fromEntries(Object.keys(truth).map((name) => [name, scale]))
  return verificationOf(judged, {
    ...{ workload: (map.stages.at(-1) as LinkStage).workload, targets: rows, report },
    ...{ results: picked(results, (row) => row), truth: { results: truth, scales } },
  })
}

/** The elements that have results. */
const kindOf = ({ workload: { reduction } }: LinkRun): 'link' | 'total' | 'point' =>
  reduction === 'each' ? 'link' : foldedBy(reduction) === undefined ? 'total' : 'point'

async function trueTerms(run: LinkRun, ends: LinkEnds, report: RunReport): Promise<TrueTerms> {
  const { map, shape, workload } = run
  const given = numbersOfEnds(run, ends)
  // The numbers of the ends are those of the device. The maps do not round.
  const compute = ({ workload, shape, bindings }: Bound) =>
    truthOf(workload, shape, bindings, { precision: 'f64' }).results
  const { last, numbers } = await runMaps(run, ends, given, compute)
  const { term } = last
  const { dimension } = shape
  const vectors = map.stages.flatMap((stage) => stage.vectors)
  const arithmetic = arithmeticOf(report)
  const load = (name: string) => loadOf(name, {}, { dimension, vectors }, numbers)
  const { bounds } = expressionErrors(map.terms, ends.count, map.parameters, load, arithmetic, term)
  if (map.stages.some(({ call }) => call)) {
    // Near a node, rounding decides between the steps of a tabulated function.
    for (const side of [-1, 1]) {
      const other = await runMaps(run, ends, given, compute, stepsBeside(side, run, ends, arithmetic))
      for (const [n, value] of (other.last.term as FloatArray).entries())
        bounds[n] = (bounds[n] as number) + Math.abs(value - (term?.[n] as number))
    }
  }
  const factor = roundedOf(arithmetic) * Math.abs(workload.links.scale)
  return { ends, width: widthOf(run), values: term as FloatArray, bounds: bounds.map((one) => factor * one) }
}

/** The steps at the least or at the greatest argument that a device may find. */
const stepsBeside =
  (side: number, { map, shape }: LinkRun, ends: LinkEnds, arithmetic: Arithmetic): StepsOf =>
  ({ looked, argument }, found, numbers) => {
    const { dimension } = shape
    const vectors = map.stages.flatMap((stage) => stage.vectors)
    const load = (name: string) => loadOf(name, {}, { dimension, vectors }, numbers)
    const { bounds } = expressionErrors([argument], ends.count, map.parameters, load, arithmetic, undefined)
    const symbols = [...symbolsOf(argument)].filter((name) => !Object.hasOwn(map.parameters, name))
    const loads = symbols.map(load)
    const exact = evaluator(argument, [...symbols, ...Object.keys(map.parameters)])
    const step = stepOf(looked, symbol('moved'))
    const others = [...symbolsOf(step)].filter((name) => name !== 'moved')
    const stepAt = evaluator(step, ['moved', ...others])
    const given = others.map(load)
    return found.map((_, end) => {
      const x = exact(Float64Array.of(...loads.map((one) => one(end)), ...Object.values(map.parameters)))
      const reach = (bounds[end] as number) + 4 * arithmetic.unit * Math.abs(x)
      return stepAt(Float64Array.of(x + side * reach, ...given.map((one) => one(end))))
    })
  }

/** The sizes of the terms of each row: their sum if they are added, otherwise the largest. */
function sizesOf(run: LinkRun, { ends, values, width }: TrueTerms): FloatArray {
  const { workload, points } = run
  const kind = kindOf(run)
  const added = kind === 'total' ? workload.reduction : foldedBy(workload.reduction) === 'sum' ? 'sum' : 'max'
  const sized = { ...workload, reduction: kind === 'link' ? 'each' : added, results: ['value'] } as const
  const { value } = foldEnds(sized, ends, points, values.map(Math.abs), width)
  return (value as FloatArray).map((x) => (Number.isFinite(x) ? Math.abs(x) : 0))
}

interface JudgedBy extends TrueTerms {
  readonly results: ArrayResults
  readonly all: ArrayResults
  readonly sizes: FloatArray
  /** The place of the row among those of the truth. */
  readonly at: number
  readonly arithmetic: Arithmetic
}

function judgedRow(run: LinkRun, row: number, by: JudgedBy): Readonly<Record<string, Judged>> {
  const { workload } = run
  const { ends, width, bounds, results, all, sizes, at, arithmetic } = by
  const kind = kindOf(run)
  const isHere = (end: number) => kind === 'total' || (kind === 'link' ? ends.link : ends.own)[end] === row
  const here = Array.from({ length: ends.count }, (_, end) => end).filter(isHere)
  const added = kind === 'total' || foldedBy(workload.reduction) === 'sum'
  const ofMean = workload.reduction === 'mean' ? Math.max(1, here.length) : 1
  const share = kind === 'total' ? endsInTotal(workload.links) : ofMean
  const boundOf = (c: number) => {
    const each = here.map((end) => bounds[end * width + c] as number)
    const size = sizes[at * width + c] as number
    const ofTerms = each.reduce((some, one) => (added ? some + one / share : Math.max(some, one)), 0)
    const value = Math.abs((all[name]?.[at * width + c] as number) || 0)
    // Both folds round in float64, and the result is rounded once more in float32.
    const ofFold = (here.length + 8) * 2 ** -52 * (size + value)
    return (
      ofTerms +
      ofFold +
      (arithmetic.single && kind !== 'total' ? arithmetic.unit * (value + ofTerms) + arithmetic.least : 0)
    )
  }
  const name = workload.results.find((one) => one !== 'index') as string
  const components = Array.from({ length: width }, (_, c) => c)
  const value: Judged = {
    errors: components.map((c) => distance(results[name]?.[row * width + c], all[name]?.[at * width + c] as number)),
    bounds: components.map(boundOf),
  }
  if (!workload.results.includes('index')) return { [name]: value }
  return { index: judgedIndex(here, results.index?.[row], all.index?.[at], by, 2 * boundOf(0)), [name]: value }
}

/** An index is right if the term of its link may be the best one. */
function judgedIndex(
  here: readonly number[],
  found: number | undefined,
  best: number | undefined,
  { ends, values }: TrueTerms,
  bound: number,
): Judged {
  if (found === best) return { errors: [0], bounds: [0] }
  const termOf = (link: number | undefined) => values[here.find((end) => ends.link[end] === link) ?? -1] ?? Number.NaN
  return { errors: [distance(termOf(found), termOf(best))], bounds: [bound] }
}
