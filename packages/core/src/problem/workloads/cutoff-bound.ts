/**
 * How far the pairs of a run are looked for, if each pair has a cutoff of its own: a number that none of them exceeds. Devices search
 * within it, or within the sizes of points, and then compare each distance with the cutoff of the pair.
 *
 * @module
 */
import { boundsOf, rounded } from '../../language/bounds.ts'
import { isSizeOfKind, lawFact } from '../loaded-at-once.ts'
import { type Boundary, halfOf, namedHalf } from './domain.ts'
import { usualCutoffOf } from './find-usual-cutoff.ts'
import { sizesOfKinds } from './kind-sizes.ts'
import { boundsOfSymbols, type PairNumbers } from './pair-bounds.ts'
import { sizesHold } from './size-range.ts'
import { usualCutoff } from './usual-cutoff.ts'
import type { PairWorkload, Shape } from './workload.ts'

/** The least number that every device holds. Lists of points that all have a cutoff of 0 still have a size. */
const least = 2 ** -100

/** If no pair reaches less far than this share of the longest reach, all are taken for equal. */
const alike = 0.8

/**
 * The parameters of a run, with a cutoff that no pair exceeds.
 *
 * @param numbers the points and tables of the run; without points, nothing limits the cutoff
 * @param boundary as it is now, if the box changes
 * @throws RangeError if nothing does, if no pair can count, or if the box is too small
 */
export function withCutoffBound(
  workload: PairWorkload,
  shape: Pick<Shape, 'dimension' | 'vectors' | 'targets' | 'sources'>,
  numbers: PairNumbers,
  boundary: Boundary = workload.domain.boundary,
): Readonly<Record<string, number>> {
  const cutoff = lawFact('cutoff', workload, shape)
  if (!cutoff) return numbers.parameters
  const sizes = lawFact('sizes', workload, shape)
  const kinds = sizes && sizesOfKinds(lawFact('rooms', workload, shape) ?? [], numbers.tables)
  const parameters: Readonly<Record<string, number>> = { ...numbers.parameters, ...kinds?.parameters }
  if (shape.targets === 0 || shape.sources === 0) return { ...parameters, cutoff: least }
  const of = boundsOfSymbols(numbers)
  const [low, high] = boundsOf(cutoff, of)
  const name = `"cutoff" expected`
  const text = `"${workload.domain.cutoff?.distance}"`
  if (high === Number.POSITIVE_INFINITY)
    throw new RangeError(
      `${name} a largest value for these points, got ${text}, which has none; use sums, products, powers, min, max, abs and select of numbers on the host, and divide by positive ones`,
    )
  if (high < 0) throw new RangeError(`${name} a distance of at least 0 for some pair, got ${text}, at most ${high}`)
  const half = halfOf(boundary)
  if (high > half * (1 + 2 ** -16))
    throw new RangeError(
      `${name} at most ${namedHalf(boundary)}, got ${text}, which may reach ${high}; repeat the cell, so that half of it holds the cutoff`,
    )
  const most = Math.max(least, Math.min(high, half))
  const bound: Readonly<Record<string, number>> = { ...parameters, cutoff: most }
  if (!sizes || !kinds?.exact || low >= alike * most) return bound
  const ofRun = (symbol: string) => {
    const number = symbol === 'cutoff' || isSizeOfKind(symbol) ? bound[symbol] : undefined
    return number === undefined ? of(symbol) : rounded(number, number)
  }
  if (!sizesHold(sizes, ofRun, bound)) return bound
  const { dimension } = shape
  return { ...bound, [usualCutoff]: usualCutoffOf(sizes, { ...numbers, parameters: bound }, { dimension, most }) }
}
