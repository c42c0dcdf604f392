/**
 * The split of a radial function whose images are summed: whether the sum converges, and the transform at frequency 0.
 *
 * @module
 */
import { type GridSplit, roundModes } from './grid-split.ts'
import { fourierTail } from './split/fourier-tail.ts'
import type { Radial } from './split/shells.ts'
import { type Split, shortTotal, smoothTotal } from './split/split.ts'
import { transformTable } from './split/transform-table.ts'

/** A sum over images converges if the function falls faster than a power: that of the dimension, and this much more. */
const faster = 1e-3
/** Functions that fall more slowly than this power do not fall. */
const constantly = 0.02
/** Distances at contact, by the reach. */
const contact: readonly number[] = [1e-6 / 8, 1e-6, 8e-6]
/** Values that differ by no more than this part of them are equal. */
const rounding = 1e-12
/** Two rules of integration agree to this on smooth functions, and differ by far more where there is a kink. */
const smoothly = 1e-8

/**
 * @param largest edge of the box, or more
 * @throws TypeError if the function does not fall, or is not smooth beyond the reach
 */
export function periodicSplit(value: Radial, split: Split, largest: number, name: string): GridSplit {
  const { reach, band, along, dimension } = split
  const refuse = refusalOf(name)
  const falls = fallOf(value, split, 64 * largest)
  // Infinite values have no power.
  if (!(falls >= (isPotential(split) ? constantly - 1 : constantly)))
    throw refuse(
      `${isPotential(split) ? 'its slope' : 'it'} does not fall with the distance, so the sum over all images has no value; use a cutoff`,
    )
  requireSmooth(value, reach, [(2 * Math.PI) / largest, band, 4 * band], refuse, 'use a cutoff')
  const slow = falls <= dimension + faster
  const endless = !along && slow && contactPower(value, reach) >= dimension - faster
  const total = along || endless ? 0 : slow ? -shortTotal(value, split) : smoothTotal(value, split)
  return { ...split, slow, endless, modes: roundModes(periodicTable(split, largest), total, along) }
}

/** The transform at all frequencies of a box. @param largest edge of the box, or more */
export const periodicTable = ({ transform, band }: Split, largest: number): ((k: number) => number) =>
  transformTable(transform, 0.999 * Math.min((2 * Math.PI) / largest, band), band)

/** How a radial function acts. */
type Acting = Pick<Split, 'along' | 'dimension'>

/** Whether only differences count: those of `log(r)` fall in a plane as those of `1/r` in space. */
const isPotential = ({ along, dimension }: Acting): boolean => !along && dimension === 2

/** The power of the distance that the terms of images fall with around a distance. A constant counts as nothing where differences count. */
export function fallOf(value: Radial, acting: Acting, r: number): number {
  const whole = powerAt(acting.along ? (x) => value(x) * x : value, r)
  if (!isPotential(acting)) return whole
  const steps = powerAt((x) => {
    const [near, far] = [value(x), value(2 * x)]
    return Math.abs(far - near) <= rounding * Math.abs(near) ? 0 : far - near
  }, r)
  // A logarithm has a zero, so its own power tells nothing.
  if (!(steps >= constantly)) return steps
  return whole >= constantly ? whole : 0
}

/** The power of the distance that a function falls with around a distance; infinite if it is 0 there. */
export function powerAt(value: Radial, r: number): number {
  const [near, far] = [Math.abs(value(r)), Math.abs(value(2 * r))]
  return far === 0 ? Number.POSITIVE_INFINITY : Math.log2(near / far)
}

/** The power of the distance that a function falls with at contact: the middle one of three, because a function may have a zero there. */
export const contactPower = (value: Radial, reach: number): number =>
  contact.map((x) => powerAt(value, x * reach)).sort((a, b) => a - b)[1] as number

/** The error of a law. */
export const refusalOf =
  (name: string) =>
  (reason: string): TypeError =>
    new TypeError(`"method" does not suit ${name}: ${reason}`)

/** @throws TypeError if a function has a kink or an oscillation beyond the reach */
export function requireSmooth(
  value: Radial,
  reach: number,
  frequencies: readonly number[],
  refuse: (reason: string) => TypeError,
  remedy: string,
): void {
  const where = `beyond ${reach.toPrecision(3)}, where its short part ends`
  for (const k of frequencies) {
    let wrong: number | undefined
    const tail = (z: number) => {
      const r = reach + z
      const x = value(r) * r
      if (!Number.isFinite(x)) wrong = r
      return x
    }
    const [a, b] = fourierTail(tail, k)
    const [c, d] = fourierTail(tail, k, 'other')
    if (wrong !== undefined)
      throw refuse(`it is ${value(wrong)} at the distance ${wrong.toPrecision(6)}, and must be finite ${where}`)
    const size = Math.hypot(a, b)
    const differs = Math.hypot(a - c, b - d) / size
    if (size > 0 && differs > smoothly)
      throw refuse(
        `it oscillates or has a kink ${where}: two integrals of it differ by ${differs.toPrecision(2)}; ${remedy}`,
      )
  }
}
