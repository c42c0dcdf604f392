/**
 * The terms of one target with their errors, for all pairs that count or, depending on rounding, might count. Which pairs
 * count is decided as in `reference/pair-loop.ts`.
 *
 * @module
 */
import { symbolsOf } from '../expression/nodes.ts'
import { parseAttribute } from '../interactions/interaction.ts'
import { ruleOf } from '../reductions/table.ts'
import type { PairData } from '../workloads/numbers/pair-data.ts'
import { termIn } from '../workloads/numbers/units.ts'
import { componentsOf, skipsCoincident } from '../workloads/quantity.ts'
import type { PairWorkload, Shape } from '../workloads/workload.ts'
import type { Arithmetic } from './arithmetic.ts'
import { imagesOf, type Places, type Seen } from './displacement.ts'
import { tapeOf } from './tape.ts'
import { counts, type Terms } from './terms.ts'

/** Gives the terms of a target. */
export function pairTerms(
  workload: PairWorkload,
  shape: Shape,
  data: PairData,
  arithmetic: Arithmetic,
): (target: number) => Terms {
  const { dimension } = shape
  const { parameters, exclusions, targets, sources } = data
  const components = ruleOf(workload).termless ? 0 : componentsOf(workload, dimension)
  const terms: Terms = {
    length: 0,
    sources: new Int32Array(shape.sources),
    certainty: new Uint8Array(shape.sources),
    values: Array.from({ length: components }, () => new Float64Array(shape.sources)),
    errors: Array.from({ length: components }, () => new Float64Array(shape.sources)),
  }
  const evaluate = termEvaluator(workload, shape, data, arithmetic)
  const certaintyOf = certainties(workload, shape, data, arithmetic)
  const skipSelf = shape.sameSet && workload.domain.self === 'exclude'
  const numbersOf = (names: readonly string[]) => names.flatMap((name) => parameters[name] ?? [])
  const space = {
    dimension,
    box: numbersOf(['boxX', 'boxY', 'boxZ']),
    boxLow: numbersOf(['boxLowX', 'boxLowY', 'boxLowZ']),
    lengthUnit: parameters.lengthUnit ?? 1,
  }
  const placesOf = ({ position, positionLow }: PairData['targets'], count: number): Places => ({
    position: position ?? new Float64Array(dimension * count),
    low: shape.split ? positionLow : undefined,
  })
  const images = imagesOf(placesOf(targets, shape.targets), placesOf(sources, shape.sources), space, arithmetic)

  return (i) => {
    const excluded = new Set(exclusions?.sources.subarray(exclusions.offsets[i], exclusions.offsets[i + 1]))
    terms.length = 0
    for (let j = 0; j < shape.sources; j++) {
      if ((skipSelf && i === j) || excluded.has(j)) continue
      const seen = images(i, j)
      const certainty = together(seen, certaintyOf)
      if (certainty === undefined) continue
      const n = terms.length++
      terms.sources[n] = j
      terms.certainty[n] = certainty
      if (components) evaluate(i, j, seen, terms, n)
    }
    return terms
  }
}

type Certainty = (typeof counts)[keyof typeof counts] | undefined

/** Whether a pair counts that may have several images. The reference takes the first. */
function together(images: readonly Seen[], certaintyOf: (seen: Seen) => Certainty): Certainty {
  const first = certaintyOf(images[0] as Seen)
  if (images.length === 1 || images.every((image) => certaintyOf(image) === first)) return first
  return first === counts.surely || first === counts.unless ? counts.unless : counts.perhaps
}

/** Whether a pair counts by its distance; undefined if it cannot. */
function certainties(
  workload: PairWorkload,
  { dimension }: Shape,
  { parameters }: PairData,
  { unit }: Arithmetic,
): (seen: Seen) => Certainty {
  const cutoff = workload.domain.cutoff
    ? ((parameters.cutoff as number) / (parameters.lengthUnit ?? 1)) ** 2
    : Number.POSITIVE_INFINITY
  const cutoffError = Number.isFinite(cutoff) ? 2 * unit * cutoff : 0
  const skipCoincident = skipsCoincident(workload, dimension, parameters)
  return ({ r2, r2Error }) => {
    const within = r2 <= cutoff
    const apart = !(skipCoincident && r2 === 0)
    const decided = Math.abs(r2 - cutoff) > r2Error + cutoffError && !(skipCoincident && r2Error > 0 && r2 <= r2Error)
    if (decided || (apart && r2Error === 0 && cutoffError === 0)) return within && apart ? counts.surely : undefined
    if (!apart && r2Error === 0) return undefined
    return within && apart ? counts.unless : counts.perhaps
  }
}

type Evaluate = (i: number, j: number, images: readonly Seen[], terms: Terms, n: number) => void

/** Writes the term of a pair, with the largest error of any of its images. */
function termEvaluator(workload: PairWorkload, shape: Shape, data: PairData, arithmetic: Arithmetic): Evaluate {
  const { dimension } = shape
  const term = termIn(workload, shape)
  const radial = term.form === 'radial'
  const expressions = radial ? [term.coefficient] : term.components
  const names = [...new Set(expressions.flatMap((e) => [...symbolsOf(e)]))]
  const parameters = Object.keys(data.parameters)
  const attributes = names.flatMap((name) => parseAttribute(name) ?? [])
  const inputs = ['dx', 'dy', 'dz', 'r2', ...attributes.map((a) => `${a.attribute}_${a.side}`), ...parameters]
  const { values, errors, outputs, run } = tapeOf(expressions, inputs, arithmetic, ['r2'])
  for (const name of parameters) {
    const slot = inputs.indexOf(name)
    values[slot] = data.parameters[name] as number
    errors[slot] = arithmetic.stored(values[slot] as number)
  }
  const loads = attributes.map(({ attribute, side }, n) => {
    const array = (side === 'i' ? data.targets : data.sources)[attribute] as ArrayLike<number>
    return (i: number, j: number) => {
      values[4 + n] = array[side === 'i' ? i : j] as number
    }
  })
  const [coefficient = 0] = outputs
  const { unit, least } = arithmetic

  const load = ({ d, errors: dErrors, r2, r2Error }: Seen) => {
    for (let axis = 0; axis < dimension; axis++) {
      values[axis] = d[axis] as number
      errors[axis] = dErrors[axis] as number
    }
    values[3] = r2
    errors[3] = r2Error
    run()
  }
  const componentOf = (c: number): number =>
    radial ? (values[coefficient] as number) * (values[c] as number) : (values[outputs[c] as number] as number)
  const errorOf = (c: number, value: number): number => {
    if (!radial) return errors[outputs[c] as number] as number
    const [k, ek] = [values[coefficient] as number, errors[coefficient] as number]
    const [d, ed] = [values[c] as number, errors[c] as number]
    if ((d === 0 && ed === 0) || (k === 0 && ek === 0)) return 0
    return Math.abs(k) * ed + (ek && (Math.abs(d) + ed) * ek) + unit * Math.abs(value) + least
  }

  return (i, j, images, terms, n) => {
    for (const one of loads) one(i, j)
    for (let which = 0; which < images.length; which++) {
      load(images[which] as Seen)
      for (let c = 0; c < terms.values.length; c++) {
        const value = componentOf(c)
        const error = errorOf(c, value)
        const [here, most] = [terms.values[c] as Float64Array, terms.errors[c] as Float64Array]
        if (which === 0) {
          here[n] = value
          most[n] = finite(error)
        } else {
          most[n] = Math.max(most[n] as number, finite(Math.abs(value - (here[n] as number)) + error))
        }
      }
    }
  }
}

/** An unknown error is infinite. */
const finite = (error: number): number => (Number.isNaN(error) ? Number.POSITIVE_INFINITY : error)
