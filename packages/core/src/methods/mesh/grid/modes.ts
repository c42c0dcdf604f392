/**
 * Transforms between a grid of real numbers in a periodic box and its modes of low frequency. Modes above the band are never computed.
 *
 * A grid has its numbers in the order of x, y, z; z varies fastest. Modes along x and y go from -most to most, along z from 0 to most,
 * because the modes of real numbers come in conjugate pairs.
 *
 * @module
 */
import { type Complex, complexArray, exchangedParts, type Line, lineOf, transformLines } from './fft.ts'

/** Lines that are transformed side by side. They and their spare copy fit into the caches of a processor. */
const most = 32

export class Modes {
  readonly #lines: readonly [Line, Line, Line]
  /** How many modes there are along each axis. */
  readonly counts: readonly [number, number, number]
  readonly length: number

  /**
   * @param sizes of the grid along each axis: factors 2, 3 and 5
   * @param highest the largest mode along each axis, below half the size
   */
  constructor(
    readonly sizes: readonly [number, number, number],
    readonly highest: readonly [number, number, number],
  ) {
    const [mx, my, mz] = highest
    this.#lines = sizes.map(lineOf) as unknown as [Line, Line, Line]
    this.counts = [2 * mx + 1, 2 * my + 1, mz + 1]
    this.length = this.counts[0] * this.counts[1] * this.counts[2]
  }

  /** The modes of a grid: sums of its numbers times `exp(-i k x)`. @param pitch from row to row along z */
  forward(grid: Float64Array, pitch: number): Complex {
    const [nx, ny, nz] = this.sizes
    const [cx, cy, cz] = this.counts
    const [alongX, alongY, alongZ] = this.#lines
    const afterZ = complexArray(nx * ny * cz)
    const z = new Workspace(nz * most)
    for (let first = 0; first < nx * ny; first += 2 * most) {
      // Two real lines are the parts of one complex line.
      const left = Math.min(2 * most, nx * ny - first)
      const batch = (left + 1) >> 1
      for (let l = 0; l < 2 * batch; l++) {
        const part = l % 2 === 0 ? z.here.re : z.here.im
        const from = (first + l) * pitch
        for (let k = 0; k < nz; k++) part[k * batch + (l >> 1)] = l < left ? (grid[from + k] as number) : 0
      }
      const { re, im } = transformLines(alongZ, batch, z.here, z.spare)
      for (let l = 0; l < left; l += 2)
        for (let k = 0; k < cz; k++) {
          const at = k * batch + (l >> 1)
          const other = (k === 0 ? 0 : nz - k) * batch + (l >> 1)
          const to = (first + l) * cz + k
          const ar = re[at] as number
          const ai = im[at] as number
          const br = re[other] as number
          const bi = im[other] as number
          afterZ.re[to] = (ar + br) / 2
          afterZ.im[to] = (ai - bi) / 2
          if (l + 1 === left) continue
          afterZ.re[to + cz] = (ai + bi) / 2
          afterZ.im[to + cz] = (br - ar) / 2
        }
    }
    const afterY = complexArray(nx * cy * cz)
    const y = new Workspace(ny * cz)
    for (let x = 0; x < nx; x++) {
      copy(afterZ, x * ny * cz, y.here, 0, ny * cz)
      const done = transformLines(alongY, cz, y.here, y.spare)
      for (let k = 0; k < cy; k++) copy(done, wrapped(k, cy, ny) * cz, afterY, (x * cy + k) * cz, cz)
    }
    const modes = complexArray(this.length)
    const rest = cy * cz
    const w = new Workspace(nx * most)
    for (let first = 0; first < rest; first += most) {
      const batch = Math.min(most, rest - first)
      for (let x = 0; x < nx; x++) copy(afterY, x * rest + first, w.here, x * batch, batch)
      const done = transformLines(alongX, batch, w.here, w.spare)
      for (let k = 0; k < cx; k++) copy(done, wrapped(k, cx, nx) * batch, modes, k * rest + first, batch)
    }
    return modes
  }

  /**
   * The grid of modes: sums of them, and of their conjugates, times `exp(i k x)`. Numbers are written at every `stride`-th place from
   * `offset` on; rows along z begin at every `pitch`-th of these places.
   */
  inverse(given: Complex, grid: Float64Array, offset: number, stride: number, pitch: number): void {
    const [nx, ny, nz] = this.sizes
    const [cx, cy, cz] = this.counts
    const [alongX, alongY, alongZ] = this.#lines
    // A transform of exchanged parts is an inverse one.
    const modes = exchangedParts(given)
    const rest = cy * cz
    const afterX = complexArray(nx * rest)
    const w = new Workspace(nx * most)
    for (let first = 0; first < rest; first += most) {
      const batch = Math.min(most, rest - first)
      w.clear(nx * batch)
      for (let k = 0; k < cx; k++) copy(modes, k * rest + first, w.here, wrapped(k, cx, nx) * batch, batch)
      const done = transformLines(alongX, batch, w.here, w.spare)
      for (let x = 0; x < nx; x++) copy(done, x * batch, afterX, x * rest + first, batch)
    }
    const afterY = complexArray(nx * ny * cz)
    const y = new Workspace(ny * cz)
    for (let x = 0; x < nx; x++) {
      y.clear(ny * cz)
      for (let k = 0; k < cy; k++) copy(afterX, (x * cy + k) * cz, y.here, wrapped(k, cy, ny) * cz, cz)
      copy(transformLines(alongY, cz, y.here, y.spare), 0, afterY, x * ny * cz, ny * cz)
    }
    const z = new Workspace(nz * most)
    for (let first = 0; first < nx * ny; first += 2 * most) {
      const left = Math.min(2 * most, nx * ny - first)
      const batch = (left + 1) >> 1
      z.clear(nz * batch)
      for (let l = 0; l < left; l += 2)
        for (let k = 0; k < cz; k++) {
          // Of line a + i b: mode k is A + i B, and mode -k is conj(A) + i conj(B). The parts are exchanged here.
          const from = (first + l) * cz + k
          const paired = l + 1 < left
          const ar = afterY.im[from] as number
          const ai = afterY.re[from] as number
          const br = paired ? (afterY.im[from + cz] as number) : 0
          const bi = paired ? (afterY.re[from + cz] as number) : 0
          const at = k * batch + (l >> 1)
          z.here.im[at] = ar - bi
          z.here.re[at] = ai + br
          if (k === 0) continue
          const other = (nz - k) * batch + (l >> 1)
          z.here.im[other] = ar + bi
          z.here.re[other] = br - ai
        }
      const done = transformLines(alongZ, batch, z.here, z.spare)
      for (let l = 0; l < left; l++) {
        const part = l % 2 === 0 ? done.im : done.re
        const to = (first + l) * pitch
        for (let k = 0; k < nz; k++) grid[offset + (to + k) * stride] = part[k * batch + (l >> 1)] as number
      }
    }
  }
}

/** The place of mode number k of `count` in a line of n: negative frequencies are at its end. */
const wrapped = (k: number, count: number, n: number): number => (k - (count >> 1) + n) % n

/** Lines and their spare copy. */
class Workspace {
  readonly here: Complex
  readonly spare: Complex

  constructor(length: number) {
    this.here = complexArray(length)
    this.spare = complexArray(length)
  }

  clear(length: number): void {
    this.here.re.fill(0, 0, length)
    this.here.im.fill(0, 0, length)
  }
}

function copy(from: Complex, start: number, to: Complex, at: number, length: number): void {
  // Short pieces are faster one by one than as views.
  for (let n = 0; n < length; n++) {
    to.re[at + n] = from.re[start + n] as number
    to.im[at + n] = from.im[start + n] as number
  }
}
