/**
 * The smooth parts of sums, through a grid: weights are spread, transformed, multiplied with the transform of each radial function,
 * transformed back, and gathered at the targets. A device does so if it can; otherwise the host does.
 *
 * @module
 */
import type { Device, GridSum, GridTerm, RunOptions } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { key } from '../../language/nodes.ts'
import type { Extent } from './extent.ts'
import { hostGridSum } from './grid/host-grid.ts'
import { windowOf } from './grid/window.ts'
import type { GridSplit } from './grid-split.ts'
import type { MeshKernels } from './kernels.ts'
import { type MeshBox, sidesIn, type Triple } from './mesh-box.ts'
import { highestMode, type MeshSetting, type MeshSpace, type OpenSpace } from './settings.ts'

/** A field of the grid: it is multiplied by a function of the target, and added to a component. */
interface Field {
  readonly component: number
  /** The kernels that add up in it. They have the same component and function of the target. */
  readonly kernels: readonly number[]
}

/** The grid of a setting. */
export interface GridPlan {
  readonly sum: GridSum
  /** Of the box that the grid repeats; its area in a plane. */
  readonly volume: number
  /** Of the plane of a slab. */
  readonly area?: number
  /** Where the points begin in the grid, so that their windows do: 0 along axes that repeat. Absent if all do. */
  readonly margin?: Triple
  readonly fields: readonly Field[]
}

/** Who computes a grid: a device, if it can. */
export type GridMaker = Pick<Device, 'gridSum' | 'gridPrecision'>

/** Settings that are less exact than this need a grid in float32 only. */
const single = 1e-6

/** The precision of the grid of a setting. The rounding of a device without float64 counts as an error of the sum, and is measured with it. */
export const precisionFor = ({ gridSum, gridPrecision }: GridMaker, { typical }: MeshSetting): Precision =>
  typical > single || (gridSum && gridPrecision === 'f32') ? 'f32' : 'f64'

export function gridPlan(
  splits: readonly GridSplit[],
  setting: MeshSetting,
  precision: Precision,
  space: MeshSpace,
  sizes: Triple,
  kernels: MeshKernels,
): GridPlan {
  const { box, reach } = space
  const { lengths } = box
  const band = setting.band / reach
  const highest = box.sides.map((side) => highestMode(band, side)) as unknown as Triple
  const isFlat = (axis: number) => box.sides[axis] === 0
  const finer = Math.min(
    ...sizes.map((size, axis) =>
      isFlat(axis) ? Number.POSITIVE_INFINITY : size / (2 * (highest[axis] as number) + 1),
    ),
  )
  const window = windowOf(setting.width, Math.min(finer, 4))
  const inverse = sizes.map((size, axis) =>
    Float64Array.from({ length: (highest[axis] as number) + 1 }, (_, k) =>
      isFlat(axis) ? 1 : 1 / window.transform((2 * Math.PI * k) / size) ** 2,
    ),
  ) as [Float64Array, Float64Array, Float64Array]
  const radials = splits.map((split) => factorsOf(split, box, highest, inverse))
  const fields = fieldsOf(kernels)
  const term = (n: number): GridTerm => {
    const { radial, weight, axis, factor } = kernels.list[n] as MeshKernels['list'][number]
    const factors = axisFactors(radials[radial] as Float64Array, factor, axis, highest, box)
    return { weight, factors, turned: axis !== undefined }
  }
  const { used, margin } = space.open ? partOf(space.open, box, sizes, setting.width) : {}
  const sum: GridSum = {
    ...{ dimension: box.dimension, lengths, sizes, highest, window, weights: kernels.weights.length },
    ...(used && { used }),
    precision,
    fields: fields.map((field) => field.kernels.map(term)),
  }
  const { axis } = space.open ?? {}
  const area = axis === undefined ? undefined : box.volume / (box.lengths[axis] as number)
  return { sum, volume: box.volume, ...(area && { area }), fields, ...(margin && { margin }) }
}

/** The part of a grid that points in open space use. */
function partOf({ far, taper, axis: only }: OpenSpace, { lengths, sides }: MeshBox, sizes: Triple, width: number) {
  const before = Math.ceil(width / 2)
  const unit = (axis: number) => (lengths[axis] as number) / (sizes[axis] as number)
  // Windows pass the edges of a slab.
  if (only !== undefined)
    return { margin: [0, 1, 2].map((axis) => (axis === only ? before * unit(axis) : 0)) as unknown as Triple }
  const used = sizes.map((size, axis) =>
    sides[axis] === 0 ? 1 : Math.min(size, size - Math.floor((far + taper) / unit(axis)) + width + 2),
  )
  return {
    used: used as unknown as Triple,
    margin: sides.map((side, axis) => (side === 0 ? 0 : before * unit(axis))) as unknown as Triple,
  }
}

function fieldsOf({ list }: MeshKernels): readonly Field[] {
  const fields = new Map<string, { component: number; kernels: number[] }>()
  for (const [n, { component, target }] of list.entries()) {
    const name = `${component} ${key(target)}`
    const field = fields.get(name) ?? { component, kernels: [] }
    field.kernels.push(n)
    fields.set(name, field)
  }
  return [...fields.values()]
}

/** The factors of a kernel. A field that points along its frequencies has the frequency along its axis, times i. */
function axisFactors(
  radial: Float64Array,
  factor: number,
  axis: number | undefined,
  [mx, my, mz]: Triple,
  { waves }: MeshBox,
): Float64Array {
  if (axis === undefined) return radial.map((x) => factor * x)
  const [ux, uy, uz] = waves.map((wave) => wave[axis] as number) as unknown as Triple
  const factors = new Float64Array(radial.length)
  let at = 0
  for (let x = -mx; x <= mx; x++)
    for (let y = -my; y <= my; y++)
      for (let z = 0; z <= mz; z++, at++) factors[at] = factor * (radial[at] as number) * (x * ux + y * uy + z * uz)
  return factors
}

/** The factors of the modes of a radial function. Of a vector, they lack the frequency along the component. */
function factorsOf(
  split: GridSplit,
  { waves, volume, isRight }: MeshBox,
  [mx, my, mz]: Triple,
  inverse: readonly Float64Array[],
): Float64Array {
  const [cy, cz] = [2 * my + 1, mz + 1]
  const [ix, iy, iz] = inverse as readonly [Float64Array, Float64Array, Float64Array]
  const [a, b, c] = waves
  const factors = new Float64Array((2 * mx + 1) * cy * cz)
  const mode = split.modes()
  const placeOf = (x: number, y: number) => ((x + mx) * cy + y + my) * cz
  for (let x = mx; x >= -mx; x--)
    for (let y = my; y >= -my; y--) {
      const row = placeOf(x, y)
      // Mirrored waves of a box with right angles are as long.
      if (isRight && (x < 0 || y < 0)) {
        const mirrored = placeOf(Math.abs(x), Math.abs(y))
        factors.copyWithin(row, mirrored, mirrored + cz)
        continue
      }
      const windows = ((ix[Math.abs(x)] as number) * (iy[Math.abs(y)] as number)) / volume
      for (let z = 0; z <= mz; z++) {
        const wave: Triple = [
          x * a[0] + y * b[0] + z * c[0],
          x * a[1] + y * b[1] + z * c[1],
          x * a[2] + y * b[2] + z * c[2],
        ]
        const k = Math.hypot(...wave)
        if (k > split.band) continue
        factors[row + z] = mode(wave, k) * windows * (iz[z] as number)
      }
    }
  return factors
}

/** The arrays of a run. */
export interface SmoothData {
  readonly sources: FloatArray
  readonly targets: FloatArray
  /** The values of each weight, source by source. */
  readonly weights: readonly FloatArray[]
  /** The values of each kernel's function of the target. */
  readonly factors: readonly FloatArray[]
  readonly extent: Extent
}

/** The fields of a grid at targets: field by field within each. */
export interface FieldsFound {
  readonly found: FloatArray
  /** Whether the host computed the grid: it does so without a device for it, and where the grid is too large for the device. */
  readonly onHost: boolean
}

/** @param rows the numbers of the targets in `targets`; all by default */
export async function gridFields(
  { sum, margin }: GridPlan,
  { dimension }: Pick<MeshKernels, 'dimension'>,
  data: SmoothData,
  device: GridMaker,
  { signal }: Pick<RunOptions, 'signal'>,
  rows?: readonly number[],
): Promise<FieldsFound> {
  const { weights } = data
  const moved = (positions: FloatArray) => (margin ? placed(positions, data.extent, margin) : positions)
  const targets = rows
    ? positionsAt(data.targets, rows, dimension)
    : data.targets === data.sources
      ? undefined
      : data.targets
  const points = { sources: moved(data.sources), weights, targets: targets && moved(targets) }
  const byDevice = await device.gridSum?.(sum, points, { signal })
  return { found: byDevice ?? hostGridSum(sum, points), onHost: byDevice === undefined }
}

/**
 * Adds the smooth sums of all images to `sums`, component by component.
 *
 * @param factors of each kernel at the targets
 */
export function addFields(
  { fields }: GridPlan,
  { components }: Pick<MeshKernels, 'components'>,
  found: FloatArray,
  factors: readonly FloatArray[],
  sums: FloatArray,
): void {
  for (const [f, { component, kernels }] of fields.entries())
    addProducts(
      { from: found, first: f, each: fields.length },
      factors[kernels[0] as number] as FloatArray,
      { to: sums, first: component, each: components },
      sums.length / components,
    )
}

/** Adds numbers, each times its factor. */
function addProducts(
  { from, first, each }: { readonly from: FloatArray; readonly first: number; readonly each: number },
  factors: FloatArray,
  sums: { readonly to: FloatArray; readonly first: number; readonly each: number },
  length: number,
): void {
  const { to } = sums
  for (let n = 0, at = sums.first, source = first; n < length; n++, at += sums.each, source += each)
    to[at] = (to[at] as number) + (from[source] as number) * (factors[n] as number)
}

/** Positions in a grid that begins before the corner of all points along open axes. */
function placed(positions: FloatArray, { corner, dimension }: Extent, margin: Triple): Float64Array {
  const places = new Float64Array(positions)
  for (const [coordinate, side] of sidesIn(dimension).entries()) {
    const [from, to] = [corner[side] as number, margin[side] as number]
    if (to === 0) continue
    for (let n = coordinate; n < positions.length; n += dimension) places[n] = (positions[n] as number) - from + to
  }
  return places
}

function positionsAt(positions: FloatArray, rows: readonly number[], dimension: number): Float64Array {
  const at = new Float64Array(dimension * rows.length)
  for (const [n, row] of rows.entries())
    at.set(positions.subarray(dimension * row, dimension * (row + 1)), dimension * n)
  return at
}
