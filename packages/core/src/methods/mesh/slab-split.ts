/**
 * The split of a radial function in a slab, where images along two axes act, and none along the open one. The grid repeats along the open
 * axis, too, so the smooth part ends soon after the largest distance there. Its modes are those of a far longer box, cut off in that way:
 * whatever varies in the plane falls exponentially along the open axis.
 *
 * The modes that do not vary in the plane are those of charged planes, `-2 pi |z|` for `1/r`. They do not fall, and are integrals.
 *
 * @module
 */
import type { GridSplit } from './grid-split.ts'
import type { MeshBox } from './mesh-box.ts'
import { contactPower, periodicTable, powerAt, refusalOf, requireSmooth } from './periodic-split.ts'
import { highestMode, type OpenSpace } from './settings.ts'
import { planeOf, type SlabAxes, slabModes } from './slab-modes.ts'
import { integralFrom0, integralToInfinity } from './split/quadrature.ts'
import type { Radial } from './split/shells.ts'
import type { Split } from './split/split.ts'

/** The axes of a grid's box. */
export function slabAxes({ sides }: MeshBox, axis: number, band: number): SlabAxes {
  const length = sides[axis] as number
  const largest = Math.max(...sides.filter((_, n) => n !== axis))
  return { axis, largest, unit: (2 * Math.PI) / length, highest: highestMode(band, length) }
}

/** Planes of functions that fall no faster than this power have no potential. */
const slowest = 2.001

/** @throws TypeError if planes of the function have no force, or the function is not smooth beyond the reach */
export function slabSplit(
  value: Radial,
  split: Split,
  open: Pick<OpenSpace, 'far' | 'taper'>,
  axes: SlabAxes,
  name: string,
): GridSplit {
  const { reach, band, along, smooth } = split
  const { largest } = axes
  const refuse = refusalOf(name)
  // As in a box, the lengths in the plane decide, and not where the points are.
  const falls = powerAt(value, 64 * largest)
  if (!(falls >= (along ? slowest : 0.02)))
    throw refuse('it falls too slowly, so a plane of images has no sum; use a cutoff')
  requireSmooth(value, reach, [(2 * Math.PI) / largest, band, 4 * band], refuse, 'use a cutoff')
  const slow = !along && falls <= slowest
  const endless = slow && contactPower(value, reach) >= 2 - 1e-3
  // Where the potential of a plane is infinite, it counts from the plane on.
  const whole = endless
    ? 0
    : slow
      ? -integralFrom0((r) => (value(r) - smooth(r)) * r, reach)
      : integralFrom0((r) => smooth(r) * r, reach) + integralToInfinity((r) => value(r) * r, reach)
  const table = periodicTable(split, largest)
  const transform = along ? (k: number) => table(k) / k : table
  return {
    ...split,
    slow,
    endless,
    modes: () => slabModes(split, open, axes, { transform, plane: planeOf(split, whole) }),
  }
}
