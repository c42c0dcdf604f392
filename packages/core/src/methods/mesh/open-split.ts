/**
 * The split of a radial function in open space. Its smooth part ends smoothly beyond the largest distance of two points, so its transform
 * is a plain integral, and a grid that repeats farther away meets no image.
 *
 * @module
 */
import { type GridSplit, roundModes } from './grid-split.ts'
import { refusalOf, requireSmooth } from './periodic-split.ts'
import type { OpenSpace } from './settings.ts'
import { gaussLegendre } from './split/quadrature.ts'
import type { Radial } from './split/shells.ts'
import { type Split, shellsOf } from './split/split.ts'
import { bandLimitedTable } from './split/transform-table.ts'

/** @throws TypeError if the function is not smooth beyond the reach */
export function openSplit(value: Radial, split: Split, { far, taper }: OpenSpace, name: string): GridSplit {
  const { reach, band, along, dimension } = split
  const shells = shellsOf(dimension)
  const end = far + taper
  requireSmooth(value, reach, [Math.PI / end, band, 4 * band], refusalOf(name), 'use a tree or all pairs')
  const radii: number[] = []
  const masses: number[] = []
  const add = (from: number, to: number, of: (r: number) => number) => {
    if (!(to > from)) return
    // A frequency at the band has 4 nodes for each period.
    const { nodes, weights } = gaussLegendre(64 + Math.ceil((2 * band * (to - from)) / Math.PI))
    for (const [n, node] of nodes.entries()) {
      const r = from + ((node + 1) / 2) * (to - from)
      radii.push(r)
      masses.push(((weights[n] as number) / 2) * (to - from) * of(r))
    }
  }
  add(0, reach, split.smooth)
  add(reach, far, value)
  const steep = steepness(band, taper)
  add(Math.max(far, reach), end, (r) => value(r) * falling(steep * ((2 * (r - far)) / taper - 1)))
  const transform = (k: number) => {
    let total = 0
    for (let n = 0; n < radii.length; n++)
      total += (masses[n] as number) * shells.transform(k, radii[n] as number, along)
    return total
  }
  const total = along ? 0 : radii.reduce((sum, r, n) => sum + shells.size(r) * (masses[n] as number), 0)
  const modes = roundModes(bandLimitedTable(transform, band, end), total, along)
  return { ...split, transform, slow: false, endless: false, modes }
}

/** How steep the end of a smooth part is, by the length where it falls. */
export const steepness = (band: number, taper: number): number => Math.sqrt((band * taper) / 4)

/** From 1 to 0 around 0: half the complementary error function. */
export function falling(x: number): number {
  if (x < 0) return 1 - falling(-x)
  if (x < 2.5) {
    let [sum, term] = [x, x]
    for (let n = 1; n < 60; n++) {
      term *= (-x * x) / n
      sum += term / (2 * n + 1)
    }
    return 0.5 - sum / Math.sqrt(Math.PI)
  }
  let fraction = 0
  for (let n = 60; n > 0; n--) fraction = n / 2 / (x + fraction)
  return Math.exp(-x * x) / (2 * Math.sqrt(Math.PI) * (x + fraction))
}
