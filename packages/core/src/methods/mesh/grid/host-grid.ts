/**
 * A grid on the host, in float64: the specification of the grids of devices.
 *
 * @module
 */
import type { GridPoints, GridSum, GridTerm } from '../../../contract/backend.ts'
import { type Complex, complexArray } from './fft.ts'
import { Modes } from './modes.ts'
import { fillMargins, gather, pitchOf, spread } from './spread.ts'

/** The fields at the targets: field by field within each target. */
export function hostGridSum(sum: GridSum, { sources, weights, targets = sources }: GridPoints): Float64Array {
  const { dimension, lengths, sizes, highest, window, fields } = sum
  const box = { dimension, lengths, sizes }
  const pitch = pitchOf(box, window)
  const modes = new Modes(sizes, highest)
  const spectra = weights.map((one) => modes.forward(spread(box, window, sources, one), pitch))
  const count = fields.length
  const grids = new Float64Array(sizes[0] * sizes[1] * pitch * count)
  for (const [f, terms] of fields.entries())
    modes.inverse(modesOf(terms, modes.length, spectra), grids, f, count, pitch)
  fillMargins(box, window, grids, count)
  return gather(box, window, targets, grids, count)
}

/** The modes of a field: the spectra of its weights times factors. */
function modesOf(terms: readonly GridTerm[], length: number, spectra: readonly Complex[]): Complex {
  const all = complexArray(length)
  for (const { weight, factors, turned } of terms) {
    const { re, im } = spectra[weight] as Complex
    for (let at = 0; at < length; at++) {
      const factor = factors[at] as number
      const [x, y] = [factor * (re[at] as number), factor * (im[at] as number)]
      all.re[at] = (all.re[at] as number) + (turned ? -y : x)
      all.im[at] = (all.im[at] as number) + (turned ? x : y)
    }
  }
  return all
}
