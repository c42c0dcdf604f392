/**
 * The window that carries points to a grid and back: `exp(b (sqrt(1 - x^2) - 1))` over a few grid points along each axis. A transform of
 * the grid divided by the window's own transform is that of the points, up to an error that falls tenfold for each grid point.
 *
 * @source Barnett, Magland and af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479
 * @module
 */
import type { GridWindow } from '../../../contract/backend.ts'
import { fitted, inPowers } from '../split/chebyshev.ts'

export interface Window extends GridWindow {
  /** Its transform at a frequency in radians per grid point. */
  transform(k: number): number
}

/** Nodes of the transform's quadrature. */
const nodes = 200

/** @param finer how many grid points there are for each one that the band needs, at least */
export function windowOf(width: number, finer: number): Window {
  const b = 0.98 * Math.PI * width * (1 - 1 / (2 * finer))
  const value = (x: number) => Math.exp(b * (Math.sqrt(Math.max(0, 1 - x * x)) - 1))
  const degree = width + 2
  const pieces = new Float64Array((degree + 1) * width)
  for (let a = 0; a < width; a++) {
    // A point is at most one grid point before the first piece: this is place -1 to 1 here.
    const powers = inPowers(fitted((x) => value(((x + 1) / 2 + a) / (width / 2) - 1), degree + 1))
    for (const [n, c] of powers.entries()) pieces[n * width + a] = c
  }
  return {
    width,
    degree,
    pieces,
    transform(k) {
      let total = 0
      for (let n = 0; n < nodes; n++) {
        // Angles, because the root has no slope at the ends.
        const angle = (Math.PI * (n + 0.5)) / (2 * nodes)
        const [x, weight] = [Math.cos(angle), Math.sin(angle)]
        total += value(x) * Math.cos((k * width * x) / 2) * weight
      }
      return (total * Math.PI * width) / (2 * nodes)
    },
  }
}

/**
 * Writes the values of a window at the grid points around a place, and returns the first of these points.
 *
 * @param place in grid points, from 0 to `size`
 */
export function windowAt(
  { width, degree, pieces }: GridWindow,
  place: number,
  size: number,
  values: Float64Array,
): number {
  // As a 32-bit integer, which indices of loops stay then.
  const first = Math.ceil(place - width / 2) | 0
  const x = 2 * (first - place + width / 2) - 1
  for (let a = 0; a < width; a++) {
    let value = pieces[degree * width + a] as number
    for (let n = degree * width - width + a; n >= 0; n -= width) value = value * x + (pieces[n] as number)
    values[a] = value
  }
  const wrapped = first % size
  return wrapped < 0 ? wrapped + size : wrapped
}
