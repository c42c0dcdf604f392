/**
 * The terms of one target with their errors, for all pairs that count or, depending on rounding, might count. The rule for pairs
 * that count is the one of `reference/pair-loop.ts`.
 *
 * @module
 */

import { evaluator } from '../../language/evaluate.ts'
import { isOfStep } from '../../language/lookups.ts'
import { symbolsOf } from '../../language/nodes.ts'
import { rangesOf } from '../../methods/ranges/source-ranges.ts'
import { isTermless } from '../../problem/reductions/table.ts'
import { termIn } from '../../problem/workloads/bodies/scaled-term.ts'
import { factorsTakenOut } from '../../problem/workloads/bodies/taken-out.ts'
import { backIn } from '../../problem/workloads/cell.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import { boxesIn } from '../../problem/workloads/parameters.ts'
import { componentsOf } from '../../problem/workloads/quantity.ts'
import { pairNumber } from '../../problem/workloads/tables/pair-numbers.ts'
import type { PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import type { Arithmetic } from './arithmetic.ts'
import { certainties, together } from './certainty.ts'
import { imagesOf, type Places, type Seen } from './displacement.ts'
import { foldError } from './fold-errors.ts'
import { computed, lossOfProduct } from './losses.ts'
import { type Input, perRun, quadrature, times } from './parts.ts'
import { type Repeats, repeatsIn } from './repeats.ts'
import { tapeOf } from './tape/tape.ts'
import { counts, type Terms } from './terms.ts'

/** Gives the terms of a target. */
export function pairTerms(
  workload: PairWorkload,
  shape: Shape,
  data: PairData,
  arithmetic: Arithmetic,
): (target: number) => Terms {
  const { dimension } = shape
  const { parameters, exclusions, ranges, targets, sources } = data
  const components = isTermless(workload) ? 0 : componentsOf(workload, dimension)
  const columns = () => Array.from({ length: components }, () => new Float64Array(shape.sources))
  const terms: Terms = {
    length: 0,
    sources: new Int32Array(shape.sources),
    certainty: new Uint8Array(shape.sources),
    values: columns(),
    errors: columns(),
    systematic: columns(),
    random: columns(),
    lost: columns(),
    alike: 1,
    factors: [1],
  }
  const { evaluate, repeats } = termEvaluator(workload, shape, data, arithmetic)
  const factorsOf = factorsIn(workload, shape, data)
  const limited = limitIn(workload, arithmetic)
  const certaintyOf = certainties(workload, shape, data, arithmetic)
  const skipSelf = shape.sameSet && workload.domain.self === 'exclude'
  const space = {
    dimension,
    box: boxesIn(parameters),
    boxLow: ['boxLowX', 'boxLowY', 'boxLowZ'].map((name) => parameters[name] ?? 0),
    lengthUnit: parameters.lengthUnit ?? 1,
    back: backIn(parameters),
  }
  const placesOf = ({ position, positionLow }: PairData['targets'], count: number): Places => ({
    position: position ?? new Float64Array(dimension * count),
    low: shape.split ? positionLow : undefined,
  })
  const images = imagesOf(placesOf(targets, shape.targets), placesOf(sources, shape.sources), space, arithmetic)

  return (i) => {
    const excluded = new Set(exclusions?.sources.subarray(exclusions.offsets[i], exclusions.offsets[i + 1]))
    terms.length = 0
    repeats.clear()
    for (const [first, last] of rangesOf(ranges, i, [0, shape.sources]))
      for (let j = first; j < last; j++) {
        if ((skipSelf && i === j) || excluded.has(j)) continue
        const seen = images(i, j)
        const certainty = together(seen, i, j, certaintyOf)
        if (certainty === undefined) continue
        const n = terms.length++
        terms.sources[n] = j
        terms.certainty[n] = certainty
        if (components) evaluate(i, j, seen, terms, n)
        if (limited) limited(terms, n)
      }
    terms.alike = repeats.largest()
    terms.factors = factorsOf(i)
    return terms
  }
}

/** Decides by its term whether the latest pair counts; undefined without a limit. */
function limitIn({ limit }: PairWorkload, arithmetic: Arithmetic): ((terms: Terms, n: number) => void) | undefined {
  if (limit === undefined) return undefined
  const stored = arithmetic.stored(limit)
  return (terms, n) => {
    const value = terms.values[0]?.[n] as number
    const error = (terms.errors[0]?.[n] as number) + stored
    const within = value <= limit
    if (error === 0 || Math.abs(value - limit) > error) {
      if (!within) terms.length--
    } else if (!within) terms.certainty[n] = counts.perhaps
    else if (terms.certainty[n] === counts.surely) terms.certainty[n] = counts.unless
  }
}

/** The sizes of the factors that may be taken out of the sum of target i, and 1. */
function factorsIn(workload: PairWorkload, shape: Shape, data: PairData): (i: number) => readonly number[] {
  const factors = factorsTakenOut(workload, shape)
  const own = [...symbolsOf(...factors)].flatMap((name) => {
    const number = pairNumber(name, workload.law, data)
    return number ? [{ name, number }] : []
  })
  // The unit of inertia is a power of 2, which changes no rounding.
  const names = [...own.map(({ name }) => name), ...Object.keys(data.parameters), 'inertiaUnit']
  const numbers = Float64Array.from(names, (name) => data.parameters[name] ?? 1)
  const evaluators = factors.map((e) => evaluator(e, names))
  return (i) => {
    // They are the same for all sources.
    for (const [slot, { number }] of own.entries()) numbers[slot] = number(i, 0, 0)
    const sizes = evaluators.map((value) => Math.abs(value(numbers)))
    return [1, ...sizes.filter((size) => size > 0 && size < Number.POSITIVE_INFINITY)]
  }
}

type Evaluate = (i: number, j: number, images: readonly Seen[], terms: Terms, n: number) => void

/** Facts about the displacement: its numbers are rounded independently from pair to pair. In a triclinic box, they share roundings. */
function displacementIn(dimension: number, tilted: boolean): Readonly<Record<string, Input>> {
  const axes = ['dx', 'dy', 'dz'].slice(0, dimension)
  return {
    ...Object.fromEntries(axes.map((axis, n) => [axis, { roundings: tilted ? axes.slice(n) : [axis] }])),
    r2: { nonnegative: true, roundings: [...axes, 'r2'], squares: axes },
  }
}

/** How far a device may find the square of a distance from the true one when it looks for a step, in roundings. */
const distanceRoundings = 16

/** Writes the term of a pair, with the largest error of any of its images, and counts repeated roundings. */
function termEvaluator(
  workload: PairWorkload,
  shape: Shape,
  data: PairData,
  arithmetic: Arithmetic,
): { readonly evaluate: Evaluate; readonly repeats: Repeats } {
  const { dimension } = shape
  const term = termIn(workload, shape)
  const radial = term.form === 'radial'
  const expressions = radial ? [term.coefficient] : term.components
  const names = [...new Set(expressions.flatMap((e) => [...symbolsOf(e)]))]
  const parameters = Object.keys(data.parameters)
  const own = names.flatMap((name) => {
    const number = pairNumber(name, workload.law, data)
    return number ? [{ name, number, error: foldError(name, workload.law, data, arithmetic) }] : []
  })
  const inputs = ['dx', 'dy', 'dz', 'r2', ...own.map(({ name }) => name), ...parameters]
  const known = { ...displacementIn(dimension, backIn(data.parameters) !== undefined), ...perRun(parameters) }
  const tape = tapeOf(expressions, inputs, arithmetic, known)
  const { values, errors, systematic, random, lost, outputs, run } = tape
  const repeats = repeatsIn([...['dx', 'dy', 'dz', 'r2'].keys(), ...tape.rounded], arithmetic)
  for (const name of parameters) {
    const slot = inputs.indexOf(name)
    values[slot] = data.parameters[name] as number
    errors[slot] = arithmetic.stored(values[slot] as number)
    systematic[slot] = errors[slot] as number
  }
  /** Reads the numbers of a pair. Returns whether any of them has changed. */
  const read = (i: number, j: number, r2: number): boolean => {
    let changed = false
    for (const [n, { number, error }] of own.entries()) {
      const value = number(i, j, r2)
      changed ||= values[4 + n] !== value
      values[4 + n] = value
      if (!error) continue
      errors[4 + n] = error(i, j)
      systematic[4 + n] = errors[4 + n] as number
    }
    return changed
  }
  const stepped = own.some(({ name }) => isOfStep(name))
  const [coefficient = 0] = outputs
  const { unit, least } = arithmetic

  const load = (seen: Seen) => {
    for (let axis = 0; axis < dimension; axis++) {
      values[axis] = seen.d[axis] as number
      errors[axis] = seen.errors[axis] as number
      systematic[axis] = seen.systematic[axis] as number
      random[axis] = seen.random[axis] as number
      lost[axis] = seen.lost[axis] as number
    }
    values[3] = seen.r2
    errors[3] = seen.r2Error
    systematic[3] = seen.r2Systematic
    random[3] = seen.r2Random
    lost[3] = seen.r2Lost
    run()
  }
  const componentOf = (c: number): number =>
    radial ? (values[coefficient] as number) * (values[c] as number) : (values[outputs[c] as number] as number)
  const ofRadial = Array.from({ length: dimension }, (_, axis) => lossOfProduct(coefficient, axis))
  const lossOf = (c: number): number =>
    radial ? computed(ofRadial[c]?.(values, lost, 0) as number) : (lost[outputs[c] as number] as number)
  // The parts of the error of the latest component.
  let [error, constant, random_] = [0, 0, 0]
  const measure = (c: number, value: number): void => {
    if (!radial) {
      const slot = outputs[c] as number
      ;[error, constant, random_] = [errors[slot] as number, systematic[slot] as number, random[slot] as number]
      return
    }
    const [k, ek] = [Math.abs(values[coefficient] as number), errors[coefficient] as number]
    const [d, ed] = [Math.abs(values[c] as number), errors[c] as number]
    ;[error, constant, random_] = [0, 0, 0]
    if ((d === 0 && ed === 0) || (k === 0 && ek === 0)) return
    const rounded = unit * Math.abs(value)
    error = times(k, ed) + times(d + ed, ek) + rounded + least
    constant = times(k, systematic[c] as number) + times(d, systematic[coefficient] as number) + times(ed, ek) + least
    random_ = quadrature(times(k, random[c] as number) + times(d, random[coefficient] as number), rounded)
  }

  /** Adds the term for an image, with the numbers that were read. Those of further images may be the device's. */
  const add = (seen: Seen, terms: Terms, n: number, isFirst: boolean): void => {
    load(seen)
    let weight = 0
    for (let c = 0; c < terms.values.length; c++) {
      const value = componentOf(c)
      measure(c, value)
      const here = terms.values[c] as Float64Array
      const most = terms.errors[c] as Float64Array
      const same = terms.systematic[c] as Float64Array
      const independent = terms.random[c] as Float64Array
      if (isFirst) {
        here[n] = value
        most[n] = finite(error)
        same[n] = finite(constant)
        independent[n] = finite(random_)
        ;(terms.lost[c] as Float64Array)[n] = arithmetic.single ? 0 : lossOf(c)
        weight += independent[n] as number
      } else {
        // Rounding decides between images.
        most[n] = Math.max(most[n] as number, finite(Math.abs(value - (here[n] as number)) + error))
        same[n] = most[n] as number
        independent[n] = 0
      }
    }
    if (isFirst && Number.isFinite(weight)) repeats.add(values, weight)
  }

  const evaluate: Evaluate = (i, j, images, terms, n) => {
    for (const [which, seen] of images.entries()) {
      read(i, j, seen.r2)
      add(seen, terms, n, which === 0)
      if (!stepped) continue
      // Near a node, rounding decides between the steps of a tabulated function.
      const reach = seen.r2Error + distanceRoundings * unit * seen.r2
      for (const r2 of [Math.max(0, seen.r2 - reach), seen.r2 + reach]) if (read(i, j, r2)) add(seen, terms, n, false)
    }
  }
  return { evaluate, repeats }
}

/** An unknown error is infinite. */
const finite = (error: number): number => (Number.isNaN(error) ? Number.POSITIVE_INFINITY : error)
