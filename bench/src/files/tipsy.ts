/**
 * Points from a TIPSY binary, the format of N-body codes and of CUDA's nbody sample, in either byte order. Gas, dark
 * matter and stars all become points with masses.
 *
 * @source T. Quinn et al., "TIPSY: Code for display and analysis of N-body simulations"
 */

import type { PointsFile } from '../problem.ts'

/** Bytes of a particle of each kind; the first four floats are its mass and position. */
const sizes = { gas: 48, dark: 36, star: 44 } as const

interface Header {
  readonly littleEndian: boolean
  readonly bytes: number
  readonly counts: readonly (readonly [size: number, count: number])[]
}

/** @throws Error if the counts of the header do not fit the length of the file */
export function pointsFromTipsy(bytes: ArrayBuffer, name: string): PointsFile {
  const view = new DataView(bytes)
  const header = [true, false].flatMap((littleEndian) => [32, 28].flatMap((size) => headerOf(view, size, littleEndian)))
  const [found] = header
  if (!found)
    throw new Error(`is not a TIPSY binary: no header of either byte order fits its ${bytes.byteLength} bytes`)
  const position: number[] = []
  const mass: number[] = []
  let at = found.bytes
  for (const [size, count] of found.counts)
    for (let n = 0; n < count; n++, at += size) {
      const number = (index: number) => view.getFloat32(at + 4 * index, found.littleEndian)
      mass.push(number(0))
      for (let axis = 1; axis <= 3; axis++) position.push(number(axis))
    }
  if (![...position, ...mass].every(Number.isFinite)) throw new Error('holds positions or masses that are not finite')
  return { name, dimension: 3, arrays: { position, mass } }
}

/** A header of that size and byte order, if its counts fit the number of bytes. */
function headerOf(view: DataView, bytes: number, littleEndian: boolean): readonly Header[] {
  if (view.byteLength < bytes) return []
  const [all = 0, dimension = 0, gas = 0, dark = 0, star = 0] = [8, 12, 16, 20, 24].map((at) =>
    view.getInt32(at, littleEndian),
  )
  const counts = [
    [sizes.gas, gas],
    [sizes.dark, dark],
    [sizes.star, star],
  ] as const
  const length = counts.reduce((total, [size, count]) => total + size * count, bytes)
  const fits = length === view.byteLength && all === gas + dark + star && all > 0 && dimension === 3
  return fits && Math.min(gas, dark, star) >= 0 ? [{ littleEndian, bytes, counts }] : []
}
