/**
 * The modes of a slab's grid, by samples along the open axis: a function there is multiplied with the end of the smooth part, and transformed.
 * It is the sum of the smooth parts of points on a plane with a frequency in the plane. Without one, it is that of a plane.
 *
 * @module
 */

import { complexArray, lineOf, transformLines } from './grid/fft.ts'
import type { Triple } from './mesh-box.ts'
import { falling, steepness } from './open-split.ts'
import type { OpenSpace } from './settings.ts'
import { gaussLegendre } from './split/quadrature.ts'
import type { Split } from './split/split.ts'

/** The axes of a slab's grid. */
export interface SlabAxes {
  /** The open one. */
  readonly axis: number
  /** The longest edge in the plane. */
  readonly largest: number
  /** The frequency of the first mode along the open axis. */
  readonly unit: number
  /** The number of the highest mode there. */
  readonly highest: number
}

/** What lies along the open axis, by the frequency in the plane. */
export interface AlongOpen {
  /** The transform for a frequency in the plane and one along the open axis. */
  transform(k: number): number
  /** The smooth part of a plane, at distances from 0 on that are multiples of a step. */
  plane(step: number, count: number): Float64Array
}

/** Whatever varies in the plane has fallen to the rounding of float64 after so many of its lengths, divided by 2 pi. */
const vanished = 36
/** An error function and a Gaussian are at the rounding of float64 there. */
const rounding = 6

/** Lengths of few factors, and few lengths, because the passes of each are kept. */
const powerOf2 = (least: number): number => 2 ** Math.ceil(Math.log2(least))

/** The modes for a grid: a new function, as it remembers whatever it computes. */
export function slabModes(
  { band }: Split,
  { far, taper }: Pick<OpenSpace, 'far' | 'taper'>,
  { axis, largest, unit, highest }: SlabAxes,
  { transform, plane }: AlongOpen,
): (wave: Triple) => number {
  const steep = steepness(band, taper)
  /** No higher frequency is in a product with the end. */
  const highestOf = band + (4 * rounding * steep) / taper
  const count = powerOf2(highest + 1 + highestOf / unit)
  const step = (2 * Math.PI) / (count * unit)
  const samples = Math.ceil((far + (taper / 2) * (1 + rounding / steep)) / step) + 1
  const ends = Float64Array.from({ length: samples }, (_, n) => falling(steep * ((2 * (n * step - far)) / taper - 1)))
  const long = powerOf2((far + taper + (vanished * largest) / (2 * Math.PI)) / step)
  const across = (frequency: number): Float64Array => {
    const apart = (2 * Math.PI) / (long * step)
    const values = new Float64Array(long)
    for (let m = 0; m <= long / 2; m++) {
      const k = Math.hypot(frequency, m * apart)
      if (k > band) break
      values[m] = transform(k) / (long * step)
      if (m > 0) values[long - m] = values[m] as number
    }
    return cosines(values)
  }
  const rows = new Map<number, Float64Array>()
  const rowOf = (frequency: number): Float64Array => {
    const known = rows.get(frequency)
    if (known) return known
    const values = frequency === 0 ? plane(step, samples) : across(frequency)
    const folded = new Float64Array(count)
    for (let n = 0; n < samples; n++) {
      const value = step * (ends[n] as number) * (values[n % values.length] as number)
      const at = n % count
      folded[at] = (folded[at] as number) + value
      const mirrored = (count - at) % count
      if (n > 0) folded[mirrored] = (folded[mirrored] as number) + value
    }
    const row = cosines(folded).slice(0, highest + 1)
    rows.set(frequency, row)
    return row
  }
  return (wave) => {
    const [p, q] = wave.filter((_, n) => n !== axis) as [number, number]
    return rowOf(Math.hypot(p, q))[Math.round(Math.abs(wave[axis] as number) / unit)] as number
  }
}

/** The transform of numbers that are even around 0. */
const cosines = (re: Float64Array): Float64Array =>
  transformLines(lineOf(re.length), 1, { re, im: new Float64Array(re.length) }, complexArray(re.length)).re

/** The nodes of an integral from sample to sample. */
const between = gaussLegendre(12)

/**
 * The sum over a plane of the smooth part, at distances from the plane. That of a vector is the function with the vector as its gradient.
 *
 * @param whole the integral of the smooth part times r, from 0 on
 */
export function planeOf({ reach, along, smooth }: Split, whole: number): AlongOpen['plane'] {
  return (step, count) => {
    const values = new Float64Array(count)
    let [first, third, last] = [0, 0, 0]
    /** Goes on to a distance, with the integrals of the smooth part times r and times r^3. */
    const goTo = (z: number) => {
      for (const [n, x] of between.nodes.entries()) {
        const r = last + ((x + 1) / 2) * (z - last)
        const term = ((between.weights[n] as number) / 2) * (z - last) * smooth(r) * r
        first += term
        third += term * r * r
      }
      last = z
    }
    for (let n = 0; n < count; n++) {
      const z = n * step
      // The smooth part changes its formula at the reach.
      if (last < reach && z > reach) goTo(reach)
      goTo(z)
      values[n] = along ? -Math.PI * (z * z * (whole - first) + third) : 2 * Math.PI * (whole - first)
    }
    return values
  }
}
