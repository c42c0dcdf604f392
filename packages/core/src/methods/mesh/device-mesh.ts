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
import { DeviceLostError, resultArrays } from '../../problem/loaded-at-once.ts'
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
  /** Where the points are, in open space. */
  readonly extent: Extent | undefined
}

/** The names of arrays beside those of the points: none that an attribute has. */
class WorkNames {
  readonly #prefix: string

  constructor(attributes: readonly string[]) {
    let prefix = 'mesh'
    while (attributes.some((name) => name.startsWith(prefix))) prefix += 'z'
    this.#prefix = prefix
  }

  get sum(): string {
    return `${this.#prefix}Sum`
  }

  get place(): string {
    return `${this.#prefix}Place`
  }

  weight(n: number): string {
    return `${this.#prefix}Weight${n}`
  }

  field(n: number): string {
    return `${this.#prefix}Field${n}`
  }
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
  readonly #names: WorkNames
  readonly #buffers = new Map<string, DeviceBuffer>()
  readonly #programs: Program[] = []
  readonly #others = new Map<GridSum, OtherGrid>()
  #sequence: Sequence | undefined
  /** Where the grid begins in open space, along each side. */
  readonly #origin: Triple | undefined

  /** @throws whatever the device does if it does not take it, or has no room */
  static async of(device: GridDevice, given: Meshed, bindings: Bindings): Promise<DeviceMesh> {
    const made = new DeviceMesh(device, given, bindings)
    try {
      await made.#bind(bindings)
      return made
    } catch (error) {
      made.dispose()
      throw error
    }
  }

  private constructor(device: GridDevice, given: Meshed, { targets }: Bindings) {
    this.#device = device
    this.#given = given
    this.#names = new WorkNames(Object.keys(targets.arrays))
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
    { signal, onProgress, into }: Pick<RunOptions, 'signal' | 'onProgress' | 'into'>,
  ): Promise<{ readonly results: ArrayResults; readonly timings: Omit<Timings, 'compile'> }> {
    const start = performance.now()
    const { arrays } = bindings.targets
    await Promise.all(Object.entries(arrays).map(([name, array]) => this.#buffer(name).write(array as FloatArray)))
    const uploaded = performance.now()
    await (this.#sequence as Sequence).run(1, { signal, onProgress })
    const computed = performance.now()
    const sums = await this.#buffer(this.#names.sum).read(into?.[this.#result] as FloatArray | undefined)
    const readback = performance.now() - computed
    return {
      results: { [this.#result]: sums },
      timings: { upload: uploaded - start, compute: computed - uploaded, readback },
    }
  }

  /**
   * The fields of another grid at some of the points: field by field within each. In open space, nobody asks.
   *
   * @returns undefined if the device does not take that grid, or has no room for it
   */
  async fieldsAt(grid: GridSum, rows: readonly number[], { signal }: Signal): Promise<Float64Array | undefined> {
    const other = this.#others.get(grid) ?? (await unlessRefused(() => this.#other(grid)))
    if (!other) return undefined
    await other.sequence.run(1, { signal })
    const points = Uint32Array.from(rows)
    const fields = await Promise.all(other.fields.map((field) => numbersAt(field, points)))
    return Float64Array.from(rows.flatMap((_, n) => fields.map((field) => field[n] as number)))
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

  async #bind(bindings: Bindings): Promise<void> {
    const { short, parts, shape } = this.#given
    const names = this.#names
    const { targets: count, dimension } = shape
    const [sums] = resultArrays(short.workload, shape, 'f32').values()
    const components = (sums?.length ?? 0) / count
    for (const [name, array] of Object.entries(bindings.targets.arrays)) await this.#add(name, array.length)
    await this.#add(names.sum, components * count)
    const weights = parts.weights.map((_, n) => names.weight(n))
    for (const weight of weights) await this.#add(weight, count)
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
        Object.fromEntries(weights.map((weight, n) => [weightName(n), weight])),
      ),
      this.#gridStage(
        parts.sum,
        fields.map((field) => this.#buffer(field)),
      ),
      await this.#stage(sumMap(parts, { arrays: [names.sum], weights, fields }, components), mapped, {
        sum: names.sum,
      }),
    ])
  }

  /** Positions in the grid. */
  #placing(origin: Triple, shape: Shape) {
    const axes = axesOf(shape.dimension)
    const sides = sidesIn(shape.dimension === 2 ? 2 : 3)
    const from = Object.fromEntries(axes.map((axis, n) => [`from_${axis}`, origin[sides[n] as number] as number]))
    const place = map({ place: axes.map((axis) => `position_${axis} - from_${axis}`) }, from)
    return this.#stage(place, shape, { place: this.#names.place }, from)
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
    return {
      program,
      bindings: { targets: points, sources: points, parameters },
      outputs: Object.fromEntries(Object.entries(outputs).map(([name, array]) => [name, this.#buffer(array)])),
    }
  }

  #gridStage(grid: GridSum, fields: readonly DeviceBuffer[]): GridStage {
    const weights = this.#given.parts.weights.map((_, n) => this.#buffer(this.#names.weight(n)))
    return { grid, position: this.#buffer(this.#origin ? this.#names.place : 'position'), weights, fields }
  }

  async #other(grid: GridSum): Promise<OtherGrid | undefined> {
    const { targets } = this.#given.shape
    if (!(await this.#device.takesGridStage?.(grid, targets))) return undefined
    const fields: DeviceBuffer[] = []
    try {
      for (const _ of grid.fields) fields.push(await this.#device.buffer(targets))
      const stages = [this.#gridStage(grid, fields)]
      const sequence = await (this.#device.gridSequence as NonNullable<GridDevice['gridSequence']>)(stages)
      const other = { sequence, fields }
      this.#others.set(grid, other)
      return other
    } catch (error) {
      for (const field of fields) field.dispose()
      throw error
    }
  }

  async #add(name: string, length: number): Promise<void> {
    this.#buffers.set(name, await this.#device.buffer(length))
  }

  #buffer(name: string): DeviceBuffer {
    return this.#buffers.get(name) as DeviceBuffer
  }
}

/** Undefined if a device refuses. Its loss is no refusal. */
export async function unlessRefused<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof DeviceLostError) throw error
    return undefined
  }
}

/** Some numbers of a buffer. */
async function numbersAt(buffer: DeviceBuffer, places: Uint32Array): Promise<FloatArray> {
  if (buffer.readAt) return buffer.readAt(places, 1)
  const all = await buffer.read()
  return Float64Array.from(places, (place) => all[place] as number)
}

const unitOf = ({ lengths, sizes }: GridSum, side: number): number =>
  (lengths[side] as number) / (sizes[side] as number)
