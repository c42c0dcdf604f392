// The transforms of the mesh, against sums over all pairs of places and frequencies.

import { expect, it } from 'vitest'
import { complexArray, lineOf, niceLength, transformLines } from '../../src/methods/mesh/grid/fft.ts'
import { Modes } from '../../src/methods/mesh/grid/modes.ts'
import { numbersBetween, random } from '../support/random.ts'

const next = random(5)

it.each([1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 20, 25, 27, 30, 45, 60])('transforms lines of %i numbers', (n) => {
  const batch = 3
  const from = { re: numbersBetween(next, n * batch, -1, 1), im: numbersBetween(next, n * batch, -1, 1) }
  const copy = { re: from.re.slice(), im: from.im.slice() }
  const found = transformLines(lineOf(n), batch, copy, complexArray(n * batch))
  for (let line = 0; line < batch; line++)
    for (let k = 0; k < n; k++) {
      let [re, im] = [0, 0]
      for (let j = 0; j < n; j++) {
        const angle = (-2 * Math.PI * ((j * k) % n)) / n
        const [x, y] = [from.re[j * batch + line] as number, from.im[j * batch + line] as number]
        re += x * Math.cos(angle) - y * Math.sin(angle)
        im += x * Math.sin(angle) + y * Math.cos(angle)
      }
      expect(found.re[k * batch + line]).toBeCloseTo(re, 12)
      expect(found.im[k * batch + line]).toBeCloseTo(im, 12)
    }
})

it('chooses lengths of factors 2, 3 and 5', () => {
  expect([1, 7, 11, 13, 31, 61, 101].map(niceLength)).toEqual([1, 8, 12, 15, 32, 64, 108])
  expect(() => lineOf(7)).toThrow('"length" expected factors 2, 3 and 5, got 7')
})

it.each([
  { sizes: [9, 10, 15], highest: [3, 4, 6] },
  { sizes: [5, 4, 3], highest: [2, 1, 1] },
  { sizes: [9, 15, 4], highest: [3, 2, 1] },
  { sizes: [8, 6, 12], highest: [0, 2, 0] },
  { sizes: [40, 3, 4], highest: [11, 1, 1] },
] as const)('computes the modes of a grid of $sizes and their grid', ({ sizes, highest }) => {
  const [nx, ny, nz] = sizes
  const grid = numbersBetween(next, nx * ny * nz, -1, 1)
  const modes = new Modes(sizes, highest)
  const found = modes.forward(grid, nz)
  const angle = (x: number, y: number, z: number, [a, b, c]: readonly number[]) =>
    2 * Math.PI * ((x * (a as number)) / nx + (y * (b as number)) / ny + (z * (c as number)) / nz)
  const frequencies: (readonly number[])[] = []
  for (let a = -highest[0]; a <= highest[0]; a++)
    for (let b = -highest[1]; b <= highest[1]; b++) for (let c = 0; c <= highest[2]; c++) frequencies.push([a, b, c])
  expect(modes.length).toBe(frequencies.length)
  const back = new Float64Array(grid.length)
  for (const [n, k] of frequencies.entries()) {
    let [re, im] = [0, 0]
    for (let x = 0, at = 0; x < nx; x++)
      for (let y = 0; y < ny; y++)
        for (let z = 0; z < nz; z++, at++) {
          re += (grid[at] as number) * Math.cos(angle(x, y, z, k))
          im -= (grid[at] as number) * Math.sin(angle(x, y, z, k))
        }
    expect(found.re[n]).toBeCloseTo(re, 11)
    expect(found.im[n]).toBeCloseTo(im, 11)
    // A mode with its conjugate; those in the plane z = 0 are all listed.
    for (let x = 0, at = 0; x < nx; x++)
      for (let y = 0; y < ny; y++)
        for (let z = 0; z < nz; z++, at++)
          back[at] =
            (back[at] as number) +
            (k[2] === 0 ? 1 : 2) * (re * Math.cos(angle(x, y, z, k)) - im * Math.sin(angle(x, y, z, k)))
  }
  const out = new Float64Array(2 * grid.length)
  modes.inverse(found, out, 1, 2, nz)
  for (let n = 0; n < grid.length; n++) {
    expect(out[2 * n]).toBe(0)
    expect(out[2 * n + 1]).toBeCloseTo(back[n] as number, 10)
  }
})
