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
import { falling, steepness } from './open-split.ts'
import { periodicTable, powerAt, refusalOf, requireSmooth } from './periodic-split.ts'
import { highestMode, type OpenSpace } from './settings.ts'
import { gaussLegendre, integralFrom0, integralToInfinity } from './split/quadrature.ts'
import type { Radial, Split } from './split/split.ts'

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

/** The axes of a grid's box. */
export function slabAxes({ sides }: MeshBox, axis: number, band: number): SlabAxes {
  const length = sides[axis] as number
  const largest = Math.max(...sides.filter((_, n) => n !== axis))
  return { axis, largest, unit: (2 * Math.PI) / length, highest: highestMode(band, length) }
}

/** Planes of functions that fall no faster than this power have no potential. */
const slowest = 2.001
/** Whatever varies in the plane has fallen to the rounding of float64 after so many of its lengths, divided by 2 pi. */
const vanished = 36

/** @throws TypeError if planes of the function have no force, or the function is not smooth beyond the reach */
export function slabSplit(
  value: Radial,
  split: Split,
  { far, taper }: Pick<OpenSpace, 'far' | 'taper'>,
  { axis, largest, unit, highest }: SlabAxes,
  name: string,
): GridSplit {
  const { reach, band, along } = split
  const refuse = refusalOf(name)
  const falls = powerAt(value, 64 * (largest + far))
  if (!(falls >= (along ? slowest : 0.02)))
    throw refuse('it falls too slowly, so a plane of images has no sum; use a cutoff')
  requireSmooth(value, reach, [(2 * Math.PI) / largest, band, 4 * band], refuse, 'use a cutoff')
  const slow = !along && falls <= slowest
  const endless = slow && powerAt(value, 1e-6 * reach) >= 2 - 1e-3

  const table = periodicTable(split, largest)
  const middle = far + taper / 2
  const steep = (2 * steepness(band, taper)) / taper
  /** The transform of the end along the open axis. */
  const end = (k: number) =>
    (k === 0 ? 2 * middle : (2 * Math.sin(k * middle)) / k) * Math.exp(-((k / (2 * steep)) ** 2))
  const long = far + taper + (vanished * largest) / (2 * Math.PI)
  const step = (2 * Math.PI) / long
  const fine = Math.floor(band / step) + 1
  const cut = new Float64Array((highest + 1) * fine)
  for (let n = 0; n <= highest; n++)
    for (let m = 0; m < fine; m++)
      cut[n * fine + m] = (end(n * unit - m * step) + (m === 0 ? 0 : end(n * unit + m * step))) / long

  /** The modes along the open axis, for a frequency in the plane. */
  const waves = (across: number): Float64Array => {
    const values: number[] = []
    for (let m = 0; m < fine; m++) {
      const k = Math.hypot(across, m * step)
      if (k > band) break
      values.push(along ? table(k) / k : table(k))
    }
    return Float64Array.from({ length: highest + 1 }, (_, n) =>
      values.reduce((sum, x, m) => sum + x * (cut[n * fine + m] as number), 0),
    )
  }
  const planes = (): Float64Array => {
    const { places, masses } = planeMasses(value, split, { far, taper }, slow, endless)
    return Float64Array.from({ length: highest + 1 }, (_, n) =>
      places.reduce((sum, z, i) => sum + 2 * (masses[i] as number) * Math.cos(n * unit * z), 0),
    )
  }
  const rows = new Map<number, Float64Array>()
  const rowOf = (across: number) => {
    const row = rows.get(across) ?? (across === 0 ? planes() : waves(across))
    rows.set(across, row)
    return row
  }
  return {
    ...split,
    slow,
    endless,
    mode: (wave) => {
      const [p, q] = wave.filter((_, n) => n !== axis) as [number, number]
      return rowOf(Math.hypot(p, q))[Math.round(Math.abs(wave[axis] as number) / unit)] as number
    },
  }
}

/**
 * The sum over a plane of the smooth part, at distances from the plane, times the weights of a quadrature. That of a vector is the
 * function with the vector as its gradient.
 */
function planeMasses(
  value: Radial,
  { reach, band, along, smooth }: Split,
  { far, taper }: Pick<OpenSpace, 'far' | 'taper'>,
  slow: boolean,
  endless: boolean,
): { readonly places: readonly number[]; readonly masses: readonly number[] } {
  const near = integralFrom0((r) => smooth(r) * r, reach)
  // Where the potential of a plane is infinite, it counts from the plane on.
  const whole = endless
    ? 0
    : slow
      ? -integralFrom0((r) => (value(r) - smooth(r)) * r, reach)
      : near + integralToInfinity((r) => value(r) * r, reach)
  const steep = steepness(band, taper)
  const between = gaussLegendre(12)
  const places: number[] = []
  const masses: number[] = []
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
  const edges = [0, Math.min(reach, far), Math.max(reach, far), Math.max(reach, far + taper)]
  for (const [n, from] of edges.slice(0, -1).entries()) {
    const to = edges[n + 1] as number
    if (!(to > from)) continue
    const { nodes, weights } = gaussLegendre(64 + Math.ceil((2 * band * (to - from)) / Math.PI))
    for (const i of [...nodes.keys()].sort((a, b) => (nodes[a] as number) - (nodes[b] as number))) {
      const z = from + (((nodes[i] as number) + 1) / 2) * (to - from)
      goTo(z)
      const plane = along ? -Math.PI * (z * z * (whole - first) + third) : 2 * Math.PI * (whole - first)
      const ends = falling(steep * ((2 * (z - far)) / taper - 1))
      places.push(z)
      masses.push(((weights[i] as number) / 2) * (to - from) * plane * ends)
    }
    goTo(to)
  }
  return { places, masses }
}
