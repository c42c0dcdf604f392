/**
 * The smooth parts of sums, through a grid on the host in float64: weights are spread, transformed, multiplied with the transform of each
 * radial function, transformed back, and gathered at the targets.
 *
 * @module
 */
import { type Complex, complexArray } from './grid/fft.ts'
import { Modes } from './grid/modes.ts'
import { fillMargins, gather, pitchOf, spread } from './grid/spread.ts'
import { windowOf } from './grid/window.ts'
import type { MeshKernels } from './kernels.ts'
import type { PeriodicSplit } from './periodic-split.ts'
import { gridSizes, highestMode, type MeshSetting, type Triple } from './settings.ts'
import { transformTable } from './split/transform-table.ts'

/** The grid of a setting, and the factors of its modes. */
export interface GridPlan {
  readonly lengths: Triple
  readonly sizes: Triple
  readonly window: ReturnType<typeof windowOf>
  readonly modes: Modes
  /** For each radial function: the factors of the modes. Of a vector, they lack the frequency along the component. */
  readonly factors: readonly Float64Array[]
}

export function gridPlan(splits: readonly PeriodicSplit[], setting: MeshSetting, lengths: Triple): GridPlan {
  const [first] = splits
  const { reach, band } = first as PeriodicSplit
  const sizes = gridSizes(setting, reach, lengths)
  const highest = lengths.map((length) => highestMode(band, length)) as unknown as Triple
  const modes = new Modes(sizes, highest)
  const finer = Math.min(...sizes.map((size, axis) => size / (2 * (highest[axis] as number) + 1)))
  const window = windowOf(setting.width, Math.min(finer, 4))
  const inverse = sizes.map((size, axis) =>
    Float64Array.from(
      { length: (highest[axis] as number) + 1 },
      (_, k) => 1 / window.transform((2 * Math.PI * k) / size) ** 2,
    ),
  ) as [Float64Array, Float64Array, Float64Array]
  const factors = splits.map((split) => factorsOf(split, lengths, modes, inverse))
  return { lengths, sizes, window, modes, factors }
}

function factorsOf(
  split: PeriodicSplit,
  lengths: Triple,
  modes: Modes,
  inverse: readonly Float64Array[],
): Float64Array {
  const [mx, my, mz] = modes.highest
  const [, cy, cz] = modes.counts
  const unit = lengths.map((length) => (2 * Math.PI) / length) as unknown as Triple
  const lowest = Math.min(...unit)
  const transform = transformTable(split.transform, Math.min(lowest, split.band) * 0.999, split.band)
  const volume = lengths[0] * lengths[1] * lengths[2]
  const factors = new Float64Array(modes.length)
  const [ix, iy, iz] = inverse as readonly [Float64Array, Float64Array, Float64Array]
  for (let x = 0; x <= mx; x++)
    for (let y = 0; y <= my; y++)
      for (let z = 0; z <= mz; z++) {
        const k = Math.hypot(x * unit[0], y * unit[1], z * unit[2])
        if (k > split.band) continue
        const value = k === 0 ? split.total : split.along ? transform(k) / k : transform(k)
        const factor = (value * (ix[x] as number) * (iy[y] as number) * (iz[z] as number)) / volume
        for (const a of x === 0 ? [mx] : [mx - x, mx + x])
          for (const b of y === 0 ? [my] : [my - y, my + y]) factors[(a * cy + b) * cz + z] = factor
      }
  return factors
}

/** The arrays of a run, in float64. */
export interface SmoothData {
  readonly sources: Float64Array
  readonly targets: Float64Array
  /** The values of each weight, source by source. */
  readonly weights: readonly Float64Array[]
  /** The values of each kernel's function of the target. */
  readonly factors: readonly Float64Array[]
}

/** MeshKernels that add up in one field, because they have the same component and function of the target. */
interface Field {
  readonly component: number
  readonly factor: Float64Array
  readonly kernels: readonly number[]
}

/**
 * Adds the smooth sums of all images to `sums`, component by component.
 *
 * @param rows the numbers of the targets in `targets`; all by default
 */
export function addSmooth(
  plan: GridPlan,
  kernels: MeshKernels,
  data: SmoothData,
  sums: Float64Array,
  rows?: readonly number[],
): void {
  const { sizes, modes, window, lengths } = plan
  const box = { lengths, sizes }
  const pitch = pitchOf(box, window)
  const spectra = data.weights.map((weights) => modes.forward(spread(box, window, data.sources, weights), pitch))
  const fields = fieldsOf(kernels, data.factors)
  const count = fields.length
  const grids = new Float64Array(sizes[0] * sizes[1] * pitch * count)
  for (const [f, field] of fields.entries())
    modes.inverse(modesOf(field, plan, kernels, spectra), grids, f, count, pitch)
  fillMargins(box, window, grids, count)
  const found = gather(box, window, data.targets, grids, count, rows)
  const targets = rows?.length ?? data.targets.length / 3
  const { components } = kernels
  for (let row = 0; row < targets; row++)
    for (const [f, { component, factor }] of fields.entries()) {
      const at = row * components + component
      const value = (found[row * count + f] as number) * (factor[rows?.[row] ?? row] as number)
      sums[at] = (sums[at] as number) + value
    }
}

function fieldsOf({ list }: MeshKernels, factors: readonly Float64Array[]): readonly Field[] {
  const fields: { component: number; factor: Float64Array; kernels: number[] }[] = []
  for (const [n, { component }] of list.entries()) {
    const factor = factors[n] as Float64Array
    const same = fields.find((field) => field.component === component && field.factor === factor)
    if (same) same.kernels.push(n)
    else fields.push({ component, factor, kernels: [n] })
  }
  return fields
}

/** The modes of a field: the spectra of its weights times the transforms of its radial functions. */
function modesOf(
  field: Field,
  { modes, factors, lengths }: GridPlan,
  { list }: MeshKernels,
  spectra: readonly Complex[],
): Complex {
  const all = complexArray(modes.length)
  const [cx, cy, cz] = modes.counts
  for (const n of field.kernels) {
    const { radial, weight, axis, factor } = list[n] as MeshKernels['list'][number]
    const spectrum = spectra[weight] as Complex
    const by = factors[radial] as Float64Array
    const unit = axis === undefined ? 0 : (2 * Math.PI) / (lengths[axis] as number)
    for (let x = 0, at = 0; x < cx; x++)
      for (let y = 0; y < cy; y++)
        for (let z = 0; z < cz; z++, at++) {
          const size = factor * (by[at] as number)
          if (axis === undefined) {
            all.re[at] = (all.re[at] as number) + size * (spectrum.re[at] as number)
            all.im[at] = (all.im[at] as number) + size * (spectrum.im[at] as number)
            continue
          }
          // A field that points along its frequencies: times i and the frequency along the axis.
          const k = axis === 0 ? x - modes.highest[0] : axis === 1 ? y - modes.highest[1] : z
          const along = size * k * unit
          all.re[at] = (all.re[at] as number) - along * (spectrum.im[at] as number)
          all.im[at] = (all.im[at] as number) + along * (spectrum.re[at] as number)
        }
  }
  return all
}
