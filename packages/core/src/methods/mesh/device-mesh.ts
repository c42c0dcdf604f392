/**
 * The sums of a mesh within a device whose sequences take grids. It takes the points, sums near pairs, and adds the fields of the grid;
 * only the sums come back. It has the arrays of one set of points, so calls with as many points share it, one after the other.
 *
 * @module
 */
import type {
  Bindings,
  Device,
  DeviceBuffer,
  GridStage,
  GridSum,
  Program,
  RunOptions,
  Sequence,
} from '../../contract/backend.ts'
import { axesOf } from '../../ground/axes.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Timings } from '../../ground/report.ts'
import { resultArrays } from '../../problem/loaded-at-once.ts'
import { map } from '../../problem/typed-at-once.ts'
import type { ArrayResults, Shape, Workload } from '../../problem/workloads/workload.ts'
import type { Extent } from './extent.ts'
import { sidesIn, type Triple } from './mesh-box.ts'
import type { ShortPart } from './short-law.ts'
import { sumMap, weightName, weightsMap } from './smooth-maps.ts'
import type { SmoothParts } from './smooth-parts.ts'

/** The parts of a device that it uses. */
export type GridDevice = Pick<Device, 'buffer' | 'prepare' | 'gridSequence' | 'takesGridStage'>

/** The sum that it computes. */
interface Meshed {
  readonly short: ShortPart
  readonly parts: SmoothParts
  /** Targets are the sources. */
  readonly shape: Shape
  readonly bindings: Bindings
  /** Where the points are, in open space. */
  readonly extent: Extent | undefined
}

/** Arrays beside those of the points. */
const names = {
  sum: 'manybodySum',
  place: 'manybodyPlace',
  field: (n: number): string => `manybodyField${n}`,
}

type Signal = Pick<RunOptions, 'signal'>

/** Fields at the points by another grid over the same points. */
interface OtherGrid {
  readonly sequence: Sequence
  readonly fields: readonly DeviceBuffer[]
}

export class DeviceMesh {
  readonly #device: GridDevice
  readonly #given: Meshed
  readonly #buffers = new Map<string, DeviceBuffer>()
  readonly #programs: Program[] = []
  readonly #others = new Map<GridSum, OtherGrid>()
  #sequence: Sequence | undefined
  /** Where the grid begins in open space, along each side. */
  readonly #origin: Triple | undefined

  /** @throws RangeError, UnsupportedWorkloadError if the device does not take it */
  static async of(device: GridDevice, given: Meshed): Promise<DeviceMesh> {
    const made = new DeviceMesh(device, given)
    try {
      await made.#bind()
      return made
    } catch (error) {
      made.dispose()
      throw error
    }
  }

  private constructor(device: GridDevice, given: Meshed) {
    this.#device = device
    this.#given = given
    const { extent, parts } = given
    const { used } = parts.sum
    if (extent && used)
      this.#origin = [0, 1, 2].map((side) => {
        const middle = (extent.corner[side] as number) + (extent.edges[side] as number) / 2
        return middle - (unitOf(parts.sum, side) * (used[side] as number)) / 2
      }) as unknown as Triple
  }

  /** Whether points within an extent have their windows in the grid. */
  holds({ corner, edges, dimension }: Extent): boolean {
    const { sum } = this.#given.parts
    const { used, window } = sum
    const origin = this.#origin
    if (!used || !origin) return true
    return sidesIn(dimension).every((side) => {
      const unit = unitOf(sum, side)
      const from = ((corner[side] as number) - (origin[side] as number)) / unit
      const to = from + (edges[side] as number) / unit
      const room = window.width / 2 + 1
      return from >= room && to <= (used[side] as number) - room
    })
  }

  /** The sums of as many points, and how long their parts took. */
  async run(
    bindings: Bindings,
    { signal, into }: Pick<RunOptions, 'signal' | 'into'>,
  ): Promise<{ readonly results: ArrayResults; readonly timings: Omit<Timings, 'compile'> }> {
    const start = performance.now()
    const { arrays } = bindings.targets
    await Promise.all(Object.entries(arrays).map(([name, array]) => this.#buffer(name).write(array as FloatArray)))
    const uploaded = performance.now()
    await (this.#sequence as Sequence).run(1, { signal })
    const computed = performance.now()
    const sums = await this.#buffer(names.sum).read(into?.[this.#result] as FloatArray | undefined)
    const readback = performance.now() - computed
    return {
      results: { [this.#result]: sums },
      timings: { upload: uploaded - start, compute: computed - uploaded, readback },
    }
  }

  /** The fields of another grid at some of the points: field by field within each. In open space, nobody asks. */
  async fieldsAt(grid: GridSum, rows: readonly number[], { signal }: Signal): Promise<Float64Array> {
    const other = this.#others.get(grid) ?? (await this.#other(grid))
    await other.sequence.run(1, { signal })
    const fields = await Promise.all(other.fields.map((field) => field.read()))
    return Float64Array.from(rows.flatMap((row) => fields.map((field) => field[row] as number)))
  }

  dispose(): void {
    this.#sequence?.dispose()
    for (const { sequence, fields } of this.#others.values()) {
      sequence.dispose()
      for (const field of fields) field.dispose()
    }
    for (const program of this.#programs) program.dispose()
    for (const buffer of this.#buffers.values()) buffer.dispose()
  }

  get #result(): string {
    const [result = ''] = this.#given.short.workload.results
    return result
  }

  async #bind(): Promise<void> {
    const { short, parts, shape, bindings } = this.#given
    const { targets: count, dimension } = shape
    const [sums] = resultArrays(short.workload, shape, 'f32').values()
    const components = (sums?.length ?? 0) / count
    for (const [name, array] of Object.entries(bindings.targets.arrays)) await this.#add(name, array.length)
    await this.#add(names.sum, components * count)
    for (const n of parts.weights.keys()) await this.#add(weightName(n), count)
    const fields = parts.fields.map((_, n) => names.field(n))
    for (const field of fields) await this.#add(field, count)
    if (this.#origin) await this.#add(names.place, dimension * count)
    const vectors = components === 1 ? [names.place] : [names.place, names.sum]
    const mapped = { dimension, targets: count, sources: count, sameSet: true, vectors: [...shape.vectors, ...vectors] }
    const numbers = { ...bindings.parameters, ...short.numbers }
    const device = this.#device
    this.#sequence = await (device.gridSequence as NonNullable<GridDevice['gridSequence']>)([
      await this.#stage(short.workload, shape, { [this.#result]: names.sum }, numbers),
      ...(this.#origin ? [await this.#placing(this.#origin, mapped)] : []),
      await this.#stage(
        weightsMap(parts),
        mapped,
        Object.fromEntries(parts.weights.map((_, n) => [weightName(n), weightName(n)])),
      ),
      this.#gridStage(
        parts.sum,
        fields.map((field) => this.#buffer(field)),
      ),
      await this.#stage(sumMap(parts, { arrays: [names.sum], fields }, components), mapped, { sum: names.sum }),
    ])
  }

  /** Positions in the grid. */
  #placing(origin: Triple, shape: Shape) {
    const axes = axesOf(shape.dimension)
    const sides = sidesIn(shape.dimension === 2 ? 2 : 3)
    const from = Object.fromEntries(axes.map((axis, n) => [`from_${axis}`, origin[sides[n] as number] as number]))
    const place = map({ place: axes.map((axis) => `position_${axis} - from_${axis}`) }, from)
    return this.#stage(place, shape, { place: names.place }, from)
  }

  async #stage(
    workload: Workload,
    shape: Shape,
    outputs: Readonly<Record<string, string>>,
    parameters: Bindings['parameters'] = {},
  ) {
    const program = await this.#device.prepare(workload, shape)
    this.#programs.push(program)
    const points = { count: shape.targets, arrays: Object.fromEntries(this.#buffers) }
    const { tables } = this.#given.bindings
    return {
      program,
      bindings: { targets: points, sources: points, parameters, ...(tables && workload.loop === 'pair' && { tables }) },
      outputs: Object.fromEntries(Object.entries(outputs).map(([name, array]) => [name, this.#buffer(array)])),
    }
  }

  #gridStage(grid: GridSum, fields: readonly DeviceBuffer[]): GridStage {
    const weights = this.#given.parts.weights.map((_, n) => this.#buffer(weightName(n)))
    return { grid, position: this.#buffer(this.#origin ? names.place : 'position'), weights, fields }
  }

  async #other(grid: GridSum): Promise<OtherGrid> {
    const fields: DeviceBuffer[] = []
    for (const _ of grid.fields) fields.push(await this.#device.buffer(this.#given.shape.targets))
    const sequence = await (this.#device.gridSequence as NonNullable<GridDevice['gridSequence']>)([
      this.#gridStage(grid, fields),
    ])
    const other = { sequence, fields }
    this.#others.set(grid, other)
    return other
  }

  async #add(name: string, length: number): Promise<void> {
    this.#buffers.set(name, await this.#device.buffer(length))
  }

  #buffer(name: string): DeviceBuffer {
    return this.#buffers.get(name) as DeviceBuffer
  }
}

const unitOf = ({ lengths, sizes }: GridSum, side: number): number =>
  (lengths[side] as number) / (sizes[side] as number)
