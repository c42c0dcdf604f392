/**
 * The arrays of a sum through a grid in memory, and its blocks: one for the sources, and one for targets that are other points.
 *
 * @module
 */
import type { FloatArray } from '@manybody/core'
import type { GridPoints, GridSum } from '@manybody/core/backend'
import {
  type GridDesign,
  lineBytes,
  numberBytes,
  recordLayout,
  registerBytes,
  unitPoints,
} from '../../design/grid-layout.ts'
import type { Regions, RegionTable } from '../placement/regions.ts'
import { passTable } from './pass-table.ts'

const axes = ['X', 'Y', 'Z'] as const

/** The sides of a sum: other targets have arrays of their own. */
export type GridSide = 'sources' | 'targets'

/** How many units the phases over planes, lines and batches of lines have. */
interface GridUnits {
  readonly weightPlanes: number
  readonly fieldPlanes: number
  readonly weightRows: number
  readonly fieldRows: number
  readonly weightBatches: number
  readonly fieldBatches: number
}

export class GridArrays {
  readonly #regions: Regions
  readonly #design: GridDesign
  readonly #sizes: ReturnType<typeof sizesOf>
  readonly sides: readonly GridSide[]

  /** @param hasFactors whether the sum before was the same one */
  constructor(
    regions: Regions,
    readonly sum: GridSum,
    readonly points: GridPoints,
    readonly threads: number,
    design: GridDesign,
    hasFactors: boolean,
  ) {
    this.#regions = regions
    this.#design = design
    this.#sizes = sizesOf(sum, points)
    this.sides = points.targets ? ['sources', 'targets'] : ['sources']
    regions.place(this.#table())
    this.#write()
    if (!hasFactors) this.#writeFactors()
  }

  get scratchBytes(): number {
    return this.#sizes.scratchBytes
  }

  get scratch(): number {
    return this.#regions.at.scratch as number
  }

  /** The address of a side's block. */
  block(side: GridSide): number {
    return this.#regions.at[`${side}.block`] as number
  }

  get units(): GridUnits {
    const { weightRows, fieldRows, batches } = this.#sizes
    const { sum } = this
    const rowsInBatch = (2 * lineBytes) / numberBytes(sum.precision)
    const [planes] = usedOf(sum)
    return {
      weightPlanes: sum.weights * planes,
      fieldPlanes: sum.fields.length * planes,
      weightRows: Math.ceil(weightRows / rowsInBatch),
      fieldRows: Math.ceil(fieldRows / rowsInBatch),
      weightBatches: sum.weights * batches,
      fieldBatches: sum.fields.length * batches,
    }
  }

  count(side: GridSide): number {
    const { sources, targets = sources } = this.points
    return (side === 'sources' ? sources : targets).length / this.sum.dimension
  }

  /** The fields at the targets, in an array of the caller's. */
  found(): FloatArray {
    const { memory, at } = this.#regions
    const length = this.count('targets') * this.sum.fields.length
    return memory.numbers(this.sum.precision, at.found as number, length).slice()
  }

  #table(): RegionTable {
    const { sum, points } = this
    const { rowBytes, pitch, rows, narrowSpan, wideSpan, spectraSpan, scratchBytes, modesBytes } = this.#sizes
    const bytes = numberBytes(sum.precision)
    const { bytes: recordBytes, axis } = recordLayout({ ...sum, ...sum.window })
    const terms = sum.fields.reduce((all, one) => all + one.length, 0)
    const [planes, usedRows] = usedOf(sum)
    const ofSide = (side: GridSide) => ({
      [`${side}.block`]: { bytes: this.#design.block.length * 8 },
      [`${side}.points`]: { bytes: this.count(side) * 8 * sum.dimension },
      [`${side}.keys`]: { bytes: this.count(side) * 4 },
      [`${side}.order`]: { bytes: this.count(side) * 4 },
      [`${side}.starts`]: { bytes: (planes * usedRows + 2) * 4 },
      [`${side}.records`]: { bytes: this.count(side) * recordBytes },
    })
    return {
      ...Object.assign({}, ...this.sides.map(ofSide)),
      weights: { bytes: points.weights.length * this.count('sources') * bytes },
      found: { bytes: this.count('targets') * sum.fields.length * bytes },
      pieces: { bytes: (sum.window.degree + 1) * axis },
      passes: { bytes: sum.sizes.reduce((all, size) => all + passTable(size, sum.precision).bytes, 0) },
      grids: { bytes: rows * pitch },
      wide: { bytes: 2 * wideSpan },
      narrow: { bytes: sum.dimension === 2 ? 0 : 2 * narrowSpan },
      spectra: { bytes: 2 * spectraSpan },
      factors: { bytes: terms * modesBytes },
      scratch: { bytes: this.threads * scratchBytes + rowBytes },
    }
  }

  #write(): void {
    const { sum, points } = this
    const { memory, at } = this.#regions
    const { buffer } = memory.memory
    for (const side of this.sides) {
      const { sources, targets = sources } = points
      new Float64Array(buffer, at[`${side}.points`], sum.dimension * this.count(side)).set(
        side === 'sources' ? sources : targets,
      )
      this.#writeBlock(side)
    }
    const count = this.count('sources')
    const weights = memory.numbers(sum.precision, at.weights as number, points.weights.length * count)
    for (const [n, numbers] of points.weights.entries()) weights.set(numbers, n * count)
    this.#writePieces()
    let passes = at.passes as number
    for (const size of sum.sizes) {
      const table = passTable(size, sum.precision)
      table.write(memory, passes)
      passes += table.bytes
    }
  }

  /** The coefficients of each power in whole registers. */
  #writePieces(): void {
    const { window, precision } = this.sum
    const { memory, at } = this.#regions
    const width = recordLayout({ ...this.sum, ...window }).axis / numberBytes(precision)
    const pieces = memory.numbers(precision, at.pieces as number, (window.degree + 1) * width).fill(0)
    for (let power = 0; power <= window.degree; power++)
      pieces.set(window.pieces.subarray(power * window.width, (power + 1) * window.width), power * width)
  }

  /** The factors of the terms, with the modes along z in whole registers. */
  #writeFactors(): void {
    const { fields, highest, precision } = this.sum
    const { rowBytes, modesBytes } = this.#sizes
    const { memory, at } = this.#regions
    const [row, all] = [rowBytes / numberBytes(precision), modesBytes / numberBytes(precision)]
    const modes = highest[2] + 1
    const terms = fields.flat()
    const written = memory.numbers(precision, at.factors as number, terms.length * all)
    for (const [n, { factors }] of terms.entries())
      for (let from = 0, to = n * all; from < factors.length; from += modes, to += row) {
        for (let k = 0; k < modes; k++) written[to + k] = factors[from + k] as number
        for (let k = modes; k < row; k++) written[to + k] = 0
      }
  }

  #writeBlock(side: GridSide): void {
    const { sum } = this
    const { memory, at } = this.#regions
    const { pitch, rowBytes, wideSpan, narrowSpan, spectraSpan, weightRows, fieldRows } = this.#sizes
    const own = Object.fromEntries(
      ['points', 'keys', 'order', 'records'].map((name) => [name, at[`${side}.${name}`] as number]),
    )
    let passes = at.passes as number
    const ofAxes = axes.flatMap((axis, n) => {
      const size = sum.sizes[n] as number
      const most = sum.highest[n] as number
      const address = passes
      passes += passTable(size, sum.precision).bytes
      return [
        [`size${axis}`, size],
        [`modes${axis}`, axis === 'Z' ? most + 1 : 2 * most + 1],
        [`passes${axis}`, address],
      ] as const
    })
    const [planes, rows] = usedOf(sum)
    const integers: Readonly<Record<string, number>> = {
      ...(at as Record<string, number>),
      ...own,
      // In a plane, rows along y have one number, which is its own mode.
      ...(sum.dimension === 2 && { narrow: at.wide as number }),
      ...Object.fromEntries(ofAxes),
      // The entry before the first row is 0.
      starts: (at[`${side}.starts`] as number) + 4,
      count: this.count(side),
      weightBytes: this.count('sources') * numberBytes(sum.precision),
      ...{ pitch, rowBytes, wideSpan, narrowSpan, spectraSpan, weightRows, fieldRows },
      ...{ planes, rows },
      planeBytes: rows * pitch,
      gridBytes: planes * rows * pitch,
    }
    const floats = Object.fromEntries(
      axes.flatMap((axis, n) => [
        [`length${axis}`, sum.lengths[n] as number],
        [`places${axis}`, sum.sizes[n] as number],
      ]),
    )
    const view = new DataView(memory.memory.buffer, this.block(side), this.#design.block.length * 8)
    for (const [n, name] of this.#design.block.entries())
      if (name in floats) view.setFloat64(8 * n, floats[name] as number, true)
      else view.setUint32(8 * n, integers[name] as number, true)
  }
}

/** The planes and rows that points use. */
export const usedOf = ({ sizes, used = sizes }: GridSum): readonly [planes: number, rows: number] => [used[0], used[1]]

/** Bytes and counts of the arrays. */
function sizesOf(sum: GridSum, { weights }: GridPoints) {
  const { sizes, highest, window, precision, fields } = sum
  const bytes = numberBytes(precision)
  const [nx, ny, nz] = sizes
  const [planes, usedRows] = usedOf(sum)
  const [cx, cy, cz] = [2 * highest[0] + 1, 2 * highest[1] + 1, highest[2] + 1]
  const rowBytes = registerBytes(cz, precision)
  const grids = Math.max(weights.length, fields.length)
  const rowsInBatch = (2 * lineBytes) / bytes
  const rows = rowsInBatch * Math.ceil((grids * planes * usedRows) / rowsInBatch)
  const wideSpan = rows * rowBytes
  return {
    rowBytes,
    /** Bytes of a row of a grid with its margin: the widest load along z begins at the last place. */
    pitch: registerBytes(nz - 1 + recordLayout({ ...sum, ...window }).axis / bytes, precision),
    rows,
    weightRows: weights.length * planes * usedRows,
    fieldRows: fields.length * planes * usedRows,
    wideSpan,
    narrowSpan: sum.dimension === 2 ? wideSpan : grids * planes * cy * rowBytes,
    spectraSpan: weights.length * cx * cy * rowBytes,
    modesBytes: cx * cy * rowBytes,
    batches: Math.ceil((cy * rowBytes) / lineBytes),
    // Two arrays of complex numbers, or the points of a unit.
    scratchBytes: Math.max(4 * Math.max(nz * lineBytes, ny * rowBytes, nx * lineBytes), 24 * unitPoints),
  }
}
