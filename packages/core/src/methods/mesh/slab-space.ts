/**
 * The grid of points in a slab: a periodic box with one open axis. Along that axis the grid repeats after more than the extent of the points
 * twice, as in open space.
 *
 * @module
 */
import type { Extent } from './extent.ts'
import { rightBox, type Triple } from './mesh-box.ts'
import { roomiest, roundedUp, taperOf } from './open-space.ts'
import { type MeshSetting, type MeshSharing, type MeshSpace, reachAmong, sizesOf } from './settings.ts'

/** The lengths of a slab in its plane, and its open axis. */
export interface Slab {
  readonly axis: number
  /** 0 along the open axis. */
  readonly lengths: Triple
}

/** The potential of a plane grows along the open axis, so it must end more smoothly than the law of two points. */
const slower = 4 / 3

/** The slab of a run. */
export function slabIn({ boxX = 0, boxY = 0, boxZ = 0 }: Readonly<Record<string, number>>): Slab {
  const lengths: Triple = [boxX, boxY, boxZ]
  return { lengths, axis: lengths.indexOf(0) }
}

/**
 * The space of points in a slab.
 *
 * @param extent of the points: the grid is as long as it asks for
 * @param among how many sources share the slab, and who transforms its grid
 * @param given the reach; the best one for so many sources by default
 */
export function slabSpace(
  setting: MeshSetting,
  { axis, lengths }: Slab,
  { edges }: Pick<Extent, 'edges'>,
  { sources, transformer }: MeshSharing,
  given?: number,
): MeshSpace {
  const plane = lengths.filter((_, n) => n !== axis)
  const longest = Math.min(...plane) / 2
  const area = (plane[0] as number) * (plane[1] as number)
  const edge = edges[axis] as number
  let reach = given ?? longest
  // In a thin slab, the reach decides how many sources are within it, and the other way round.
  if (given === undefined)
    for (let n = 0; n < 4; n++)
      reach = reachAmong(setting, sources, { volume: area * (edge + reach), dimension: 3 }, longest, transformer)
  const far = roundedUp(Math.max(edge, reach))
  const taper = slower * taperOf(setting, reach)
  const along = (length: number) => lengths.map((own, n) => (n === axis ? length : own)) as unknown as Triple
  const least = rightBox(along(edge + far + taper))
  const length = roomiest(setting, reach, sizesOf(setting, { reach, box: least })[axis] as number)
  return { reach, longest, box: rightBox(along(length)), open: { far, taper, axis } }
}
