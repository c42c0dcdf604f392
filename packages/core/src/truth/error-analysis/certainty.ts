/**
 * Whether a pair counts by its distance, in the reference and on a device.
 *
 * @module
 */

import { symbolsOf } from '../../language/nodes.ts'
import { unit } from '../../problem/workloads/bodies/scaled-term.ts'
import { cutoffOfPairs, squareOfCutoff } from '../../problem/workloads/cutoff.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import { pairNumber } from '../../problem/workloads/tables/pair-numbers.ts'
import type { PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import type { Arithmetic } from './arithmetic.ts'
import { coincidence, type LeftOut } from './coincidence.ts'
import type { Seen } from './displacement.ts'
import { perRun } from './parts.ts'
import { tapeOf } from './tape/tape.ts'
import { counts } from './terms.ts'

export type Certainty = (typeof counts)[keyof typeof counts] | undefined
export type CertaintyOf = (seen: Seen, i: number, j: number) => Certainty

/** Whether a pair counts if it may have several images. The reference takes the first. */
export function together(images: readonly Seen[], i: number, j: number, certaintyOf: CertaintyOf): Certainty {
  const first = certaintyOf(images[0] as Seen, i, j)
  if (images.length === 1 || images.every((image) => certaintyOf(image, i, j) === first)) return first
  return first === counts.surely || first === counts.unless ? counts.unless : counts.perhaps
}

/** Whether a pair counts by its distance; undefined if it cannot. */
export function certainties(workload: PairWorkload, shape: Shape, data: PairData, arithmetic: Arithmetic): CertaintyOf {
  const coincident = coincidence(workload, shape, data, arithmetic)
  const squareOf = cutoffSquares(workload, shape, data, arithmetic)
  return ({ r2, r2Error, r2Lost }, i, j) => {
    const { square, error } = squareOf(i, j)
    const within = r2 <= square
    const { inReference, onDevice } = r2 <= r2Error ? coincident(i, j) : counted
    const gone = inReference && r2 === 0
    // If the distance has an error, the device may find points apart that coincide, and the other way round.
    const agreed = r2Error === 0 ? onDevice === gone : !gone && onDevice === false
    if (gone && agreed) return undefined
    const decided = r2Error + error === 0 || Math.abs(r2 - square + r2Lost) > r2Error + error
    if (agreed && decided) return within ? counts.surely : undefined
    return within && !gone ? counts.unless : counts.perhaps
  }
}

const counted: LeftOut = { inReference: false, onDevice: false }

interface Square {
  readonly square: number
  readonly error: number
}

/** The square of the cutoff of a pair in the unit of length of the run, and how far a device's may be from it. */
function cutoffSquares(
  workload: PairWorkload,
  shape: Shape,
  data: PairData,
  arithmetic: Arithmetic,
): (i: number, j: number) => Square {
  const { parameters } = data
  if (!cutoffOfPairs(workload)) {
    const square = workload.domain.cutoff
      ? ((parameters.cutoff as number) / (parameters.lengthUnit ?? 1)) ** 2
      : Number.POSITIVE_INFINITY
    const ofRun = { square, error: Number.isFinite(square) ? 2 * arithmetic.unit * square : 0 }
    return () => ofRun
  }
  const e = squareOfCutoff(workload, shape.scaled ? unit : undefined)
  const own = [...symbolsOf(e)].flatMap((name) => {
    const number = pairNumber(name, workload.law, data)
    return number ? [{ name, number }] : []
  })
  const names = Object.keys(parameters)
  const tape = tapeOf([e], [...own.map(({ name }) => name), ...names], arithmetic, perRun(names))
  const [output = 0] = tape.outputs
  for (const [n, name] of names.entries()) {
    const value = parameters[name] as number
    tape.values[own.length + n] = value
    tape.errors[own.length + n] = arithmetic.stored(value)
  }
  const found = { square: 0, error: 0 }
  return (i, j) => {
    for (const [slot, { number }] of own.entries()) tape.values[slot] = number(i, j, 0)
    tape.run()
    found.square = tape.values[output] as number
    found.error = (tape.errors[output] as number) + 2 * arithmetic.unit * Math.abs(found.square)
    return found
  }
}
