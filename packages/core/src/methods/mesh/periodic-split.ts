/**
 * The split of a radial function whose images are summed: whether the sum converges, and the transform at frequency 0.
 *
 * @module
 */
import { fourierTail } from './split/fourier-tail.ts'
import { type Radial, type Split, type SplitOptions, shortTotal, smoothTotal, splitOf } from './split/split.ts'
import { transformTable } from './split/transform-table.ts'

export interface PeriodicSplit extends Split {
  /** The transform of the smooth part at frequency 0. If the sum over images diverges, it takes out the mean of the whole function. */
  readonly total: number
  /** Whether the sum over images diverges, or depends on their order. Its mean is then left out. */
  readonly slow: boolean
  /** Whether the mean of the function is infinite at contact, so that only weights without a total have a sum. */
  readonly endless: boolean
  /** The transform of the smooth part from a table, for the frequencies of a box up to the band. */
  table(k: number): number
}

/** A sum over images converges if the function falls faster than this power of the distance. */
const slowest = 3.001
/** Functions that fall more slowly than this power do not fall. */
const constantly = 0.02
/** Two rules of integration agree to this on smooth functions, and differ by far more where there is a kink. */
const smoothly = 1e-8

/**
 * @param largest edge of the box, or more
 * @throws TypeError if the function does not fall, or is not smooth beyond the reach
 */
export function periodicSplit(value: Radial, options: SplitOptions, largest: number, name: string): PeriodicSplit {
  const { reach, band, along } = options
  const refuse = (reason: string) => new TypeError(`"method" does not suit ${name}: ${reason}`)
  const falls = powerAt((r) => value(r) * (along ? r : 1), 64 * largest)
  // Infinite values have no power.
  if (!(falls >= constantly))
    throw refuse('it does not fall with the distance, so the sum over all images has no value; use a cutoff')
  requireSmooth(value, reach, [(2 * Math.PI) / largest, band, 4 * band], refuse)
  const split = splitOf(value, options)
  const slow = falls <= slowest
  const endless = !along && slow && powerAt(value, 1e-6 * reach) >= 2.999
  const total = along || endless ? 0 : slow ? -shortTotal(value, split) : smoothTotal(value, split)
  const table = transformTable(split.transform, 0.999 * Math.min((2 * Math.PI) / largest, band), band)
  return { ...split, total, slow, endless, table }
}

/** The power of the distance that a function falls with around a distance; infinite if it is 0 there. */
function powerAt(value: Radial, r: number): number {
  const [near, far] = [Math.abs(value(r)), Math.abs(value(2 * r))]
  return far === 0 ? Number.POSITIVE_INFINITY : Math.log2(near / far)
}

function requireSmooth(
  value: Radial,
  reach: number,
  frequencies: readonly number[],
  refuse: (reason: string) => TypeError,
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
        `it oscillates or has a kink ${where}: two integrals of it differ by ${differs.toPrecision(2)}; use a cutoff`,
      )
  }
}
