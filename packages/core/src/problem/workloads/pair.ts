/**
 * The workloads over pairs, one function each. They check everything that needs no data, and return plain data.
 *
 * @module
 */

import { pairTerm } from '../interactions/define.ts'
import { interactionOf, requireInteraction } from '../interactions/from-data.ts'
import type { Interaction } from '../interactions/interaction.ts'
import { isVectorTerm, vectorsOf } from '../interactions/vectors.ts'
import {
  copiesIn,
  finite,
  hasNames,
  isTermless,
  largest,
  oneOf,
  onlyNamed,
  positive,
  reduceOperations,
  reductions,
  unexpected,
  whole,
} from '../loaded-at-once.ts'
import type { IndexOperation, ReduceOperation, ValueOperation } from '../reductions/table.ts'
import { cutoffOfPairs } from './cutoff.ts'
import { domainOf } from './define-domain.ts'
import type { DomainOptions } from './domain.ts'
import { made } from './made.ts'
import type { Method, PairWorkload, Quantity, Reduction } from './workload.ts'

/** The options of a sum. */
export interface SumOptions extends DomainOptions {
  /** How the sum may be approximated; by default it is exact. */
  readonly method?: Method
}

function pairWorkload<Name extends string>(
  results: readonly Name[],
  given: Interaction,
  quantity: Quantity,
  reduction: Reduction,
  options: SumOptions | undefined,
  rest: { readonly total?: boolean; readonly k?: number; readonly limit?: number } = {},
): PairWorkload<Name> {
  const law = interactionOf(given)
  // Another kind of value is refused as a domain. To look at each entry of a large array would take long.
  const { method, ...others } = (hasNames(options) ? options : {}) as SumOptions
  const hasMethod = reduction === 'sum' && hasNames(options) && Object.hasOwn(options, 'method')
  const domain = domainOf(
    hasMethod ? others : options,
    isTermless({ results, reduction, ...rest }) ? 'radius' : 'cutoff',
  )
  if (hasMethod && method !== undefined) requireApproximable(law)
  if (domain.cutoff?.shift && law.kind !== 'potential')
    throw new TypeError(
      `"shift" expected a potential, got ${law.name}, which gives a ${law.kind}: there is no energy to shift`,
    )
  const workload = made(
    Object.freeze({
      loop: 'pair' as const,
      results: Object.freeze([...results]),
      law,
      quantity,
      reduction,
      total: false,
      domain,
      ...rest,
      ...(hasMethod && method !== undefined && { method: methodOf(method) }),
    }),
  )
  // Its text must be an expression of the numbers of this law.
  cutoffOfPairs(workload)
  return workload
}

/** @throws TypeError for a law of vectors: nothing stands for many sources that have vectors */
export function requireApproximable(law: Interaction): void {
  if (vectorsOf(law))
    throw new TypeError(
      `"method" expected a law of displacements, got ${law.name}, which reads vectors of any length; leave out the method`,
    )
}

/** Its options are checked by the code that approximates. @throws TypeError */
export function methodOf(method: Method): Method {
  if (!hasNames(method)) throw unexpected('method', 'tree({ tolerance: 1e-3 }) or another tolerance', method)
  return Object.freeze({ ...method })
}

/** The same workload without adding up: one number per target. */
export function perTarget(workload: PairWorkload): PairWorkload {
  return made(Object.freeze({ ...workload, total: false }))
}

function needForce(law: Interaction, workload: string): void {
  requireInteraction(law, 'law')
  if (law.kind === 'term')
    throw new TypeError(`"${workload}" expected an energy or a force, got ${law.name}, which is a term: use sum(law)`)
}

function needPotential(law: Interaction, workload: string): void {
  requireInteraction(law, 'law')
  if (law.kind !== 'potential')
    throw new TypeError(
      `"${workload}" expected a potential, got ${law.name}, which gives a ${law.kind} and has no energy`,
    )
}

/** `acceleration` of each target, `[targets, dimension]`: force divided by the law's inertia attribute. */
export function accelerations(law: Interaction, options?: SumOptions): PairWorkload<'acceleration'> {
  needForce(law, 'accelerations')
  if (law.inertia === undefined)
    throw new TypeError(
      `"accelerations" expected a law with inertia, got ${law.name}: define it with { inertia: 'mass' }, or use forces(law)`,
    )
  return pairWorkload(['acceleration'], law, 'acceleration', 'sum', options)
}

/** `force` on each target, `[targets, dimension]`, positive along an axis pushing that way. */
export function forces(law: Interaction, options?: SumOptions): PairWorkload<'force'> {
  needForce(law, 'forces')
  return pairWorkload(['force'], law, 'force', 'sum', options)
}

/** `potential` of each target, `[targets]`: the sum of pair energies, in the unit of energy. */
export function potentials(law: Interaction, options?: SumOptions): PairWorkload<'potential'> {
  needPotential(law, 'potentials')
  return pairWorkload(['potential'], law, 'potential', 'sum', options)
}

/** `energy`, one number: each pair counted once. With `self: 'include'` a point's own term counts half. */
export function energy(law: Interaction, options?: SumOptions): PairWorkload<'energy'> {
  needPotential(law, 'energy')
  return pairWorkload(['energy'], law, 'potential', 'sum', options, { total: true })
}

/** `virial`, one number: `sum over pairs of F_i . (x_i - x_j)`, each pair counted once. For gravity without softening it is the energy. */
export function virial(law: Interaction, options?: SumOptions): PairWorkload<'virial'> {
  needForce(law, 'virial')
  return pairWorkload(['virial'], law, 'virial', 'sum', options, { total: true })
}

/** `value`, the sum of a term over sources, `[targets, components]`. */
export function sum(term: Interaction, options?: SumOptions): PairWorkload<'value'> {
  return pairWorkload(['value'], term, termQuantity(term), 'sum', options)
}

/**
 * A scalar term reduced over sources: `value`, and with an operation that chooses a source, such as `argmin`, also `index`, the
 * first source with the extreme.
 *
 * Without sources, the value is the neutral one, such as `+Infinity` for `min`, and the index is -1.
 */
export function reduce(operation: ValueOperation, term: Interaction, options?: DomainOptions): PairWorkload<'value'>
export function reduce(
  operation: IndexOperation,
  term: Interaction,
  options?: DomainOptions,
): PairWorkload<'index' | 'value'>
export function reduce(
  operation: ReduceOperation,
  term: Interaction,
  options?: DomainOptions,
): PairWorkload<'value' | 'index'> {
  oneOf(operation, 'operation', reduceOperations)
  needScalar(term, operation)
  return pairWorkload(
    Object.keys(reductions[operation].results) as ('value' | 'index')[],
    term,
    termQuantity(term),
    operation,
    options,
  )
}

/** The law of workloads that have none. Their cutoff may read parameters. */
const squaredDistance = (parameters: Readonly<Record<string, number>> = {}): Interaction =>
  pairTerm('r2', { name: 'squared distance', parameters })()

/**
 * The `k` nearest sources of each target, nearest first: `index` and `distance`, both `[targets, k]`.
 * Ties go to the lower index. If the domain leaves fewer than k sources, `index` is -1 and `distance` infinite for the rest.
 */
export function nearest(k: number, options?: NearestOptions): PairWorkload<'index' | 'distance'>
/**
 * The `k` sources with the least terms of each target, the least first: `index` and `value`, both `[targets, k]`.
 * `nearest(10, pairTerm('sqdist(x_i, y_j)')())` finds the nearest vectors, and `pairTerm('-dot(x_i, y_j)')` the largest products.
 */
export function nearest(k: number, term: Interaction, options?: NearestOptions): PairWorkload<'index' | 'value'>
export function nearest(
  k: number,
  given: Interaction | NearestOptions = {},
  more: NearestOptions = {},
): PairWorkload<'index' | 'distance'> | PairWorkload<'index' | 'value'> {
  const isTerm = isInteraction(given)
  const options = isTerm ? more : given
  const known = ['self', 'boundary', 'cutoff', 'exclusions']
  const { parameters, ...domain } = onlyNamed(options, 'option of nearest', isTerm ? known : [...known, 'parameters'])
  const kept = { k: whole(k, 'k', 1) }
  if (!isTerm) return pairWorkload(['index', 'distance'], squaredDistance(parameters), 'term', 'smallest', domain, kept)
  needScalar(given, 'nearest')
  return pairWorkload(['index', 'value'], given, termQuantity(given), 'least', domain, kept)
}

/** A workload that counts terms. */
type Limited = Required<Pick<PairWorkload, 'limit'>>

/** Whether an argument is a term, or the function that makes one, and not options. */
const isInteraction = (given: Interaction | object): given is Interaction =>
  typeof given === 'function' || 'expressions' in Object(given)

/** @throws TypeError, RangeError */
function inFloat32(x: unknown, name: string): number {
  const number = finite(x, name)
  if (Math.abs(number) <= largest) return number
  throw new RangeError(`"${name}" expected a number that float32 holds, got ${number}`)
}

interface CutoffParameters {
  /** The numbers that a text for the cutoff or radius reads by name. Laws bring their own. */
  readonly parameters?: Readonly<Record<string, number>>
}

type NearestOptions = Omit<DomainOptions, 'switchDistance' | 'shift'> & CutoffParameters

type RadiusOptions = Omit<DomainOptions, 'cutoff' | 'switchDistance' | 'shift'> & CutoffParameters

/**
 * `count` of sources with `r <= radius`, `[targets]`. An infinite radius counts all.
 *
 * @param radius a number, or an expression of the numbers of both points, such as `'radius_i + radius_j'`
 */
export function countWithin(radius: number | string, options?: RadiusOptions): PairWorkload<'count'>
/**
 * `count` of sources with `term <= limit`, `[targets]`. Terms that are NaN do not count.
 * `countWithin(0.1, pairTerm('1 - dot(x_i, y_j)')())` counts the vectors in nearly the same direction.
 *
 * @param limit a number of the size of the term. To change it without compiling, subtract a parameter from the term
 */
export function countWithin(limit: number, term: Interaction, options?: DomainOptions): PairWorkload<'count'> & Limited
export function countWithin(
  bound: number | string,
  given: Interaction | RadiusOptions = {},
  more: DomainOptions = {},
): PairWorkload<'count'> {
  if (isInteraction(given)) {
    needScalar(given, 'countWithin')
    return pairWorkload(['count'], given, termQuantity(given), 'count', more, { limit: inFloat32(bound, 'limit') })
  }
  const [law, domain] = within(bound, given, 'countWithin')
  return pairWorkload(['count'], law, 'term', 'count', domain)
}

/**
 * The sources with `r <= radius`. The sources of target `t` are `index[offsets[t]] ... index[offsets[t + 1] - 1]`, ascending, as many
 * as {@link countWithin} counts. An infinite radius lists all. `neighborsWithin('radius_i + radius_j')` lists the circles that touch.
 */
export function neighborsWithin(
  radius: number | string,
  options: RadiusOptions = {},
): PairWorkload<'offsets' | 'index'> {
  const [law, domain] = within(radius, options, 'neighborsWithin')
  return pairWorkload(['offsets', 'index'], law, 'term', 'list', domain)
}

function within(radius: number | string, options: RadiusOptions, of: string): readonly [Interaction, DomainOptions] {
  const known = ['self', 'boundary', 'exclusions', 'parameters']
  const { parameters, ...domain } = onlyNamed(options, `option of ${of}`, known)
  const law = squaredDistance(parameters)
  if (radius === Number.POSITIVE_INFINITY) return [law, domain]
  return [law, { ...domain, cutoff: typeof radius === 'string' ? radius : positive(radius, 'radius') }]
}

/** `value`, the term of every pair, `[targets, sources]`. Pairs that the domain excludes are 0. */
export function matrix(term: Interaction, options?: DomainOptions): PairWorkload<'value'> {
  needScalar(term, 'matrix')
  const workload = pairWorkload(['value'], term, termQuantity(term), 'none', options)
  if (copiesIn(workload.domain))
    throw new RangeError(
      `"cutoff" expected at most half the shortest box length, got ${workload.domain.cutoff?.distance}; a matrix has one number for each pair, and points have several images`,
    )
  return workload
}

/** The quantity of an interaction: the term itself, or the energy of a potential. */
function termQuantity(law: Interaction): Quantity {
  requireInteraction(law, 'term')
  if (law.kind === 'force')
    throw new TypeError(`"term" expected a term or a potential, got ${law.name}, which gives a force: use forces(law)`)
  return law.kind === 'potential' ? 'potential' : 'term'
}

function needScalar(law: Interaction, workload: string): void {
  requireInteraction(law, 'term')
  if (isVectorTerm(interactionOf(law)))
    throw new TypeError(`"${workload}" expected a scalar term, got ${law.name}, which is a vector: use sum(term)`)
  const components = Object.keys(law.expressions).length
  if (components > 1)
    throw new TypeError(`"${workload}" expected a scalar term, got ${law.name} with ${components} components`)
}
