/**
 * Points folded into a few numbers: the sum over all points of what an expression gives for each, or one sum for each group.
 *
 * @module
 */
import type { Bindings, Device, DeviceBuffer, Program } from '../../backend.ts'
import { hasNames, onlyNamed, unexpected, whole } from '../../checks.ts'
import { UnsupportedWorkloadError } from '../../errors.ts'
import { pairTerm } from '../../interactions/define.ts'
import { nameOf, record } from '../../names.ts'
import { type Bound, bind } from '../../workloads/bind.ts'
import { mapComponents } from '../../workloads/bodies/element-body.ts'
import { sum } from '../../workloads/pair.ts'
import { map } from '../../workloads/particle.ts'
import type { Attributes } from '../../workloads/particles.ts'
import type { MapWorkload, Shape, Workload } from '../../workloads/workload.ts'
import { ScratchRun, totalOf } from './scratch-run.ts'

/** What to add up, by name: expressions of one point, as those of `map`. */
export type TotalOutputs<Name extends string = string> = Readonly<Record<Name, string>>

export interface TotalOptions {
  /** Values of names in the expressions that are no attributes. */
  readonly parameters?: Readonly<Record<string, number>>
}

export interface GroupOptions extends TotalOptions {
  /**
   * The group of a point, as an expression: `'floor(position_x/2)'`. Points whose group is no whole number from 0 to `groups - 1` count
   * in no group.
   */
  readonly by: string
  /** How many groups there are. The work is points times groups. */
  readonly groups: number
}

/** One number for each name, or with groups one for each group. */
export type Totals = Readonly<Record<string, number | Float64Array>>

/** Totals as checked data. */
export interface TotalRequest {
  readonly names: readonly string[]
  /** The expressions, a few per map, because devices bind few arrays to one program. */
  readonly maps: readonly MapWorkload[]
  readonly groups: number | undefined
}

const mostOutputs = 4
/** The output of a map that is the group. */
const key = 'totalGroup'

/** The sum over the points of each group. A group that is not a number is none. */
const ofGroup = sum(pairTerm('select(abs(totalGroup_j - group_i) < 0.25, value_j, 0)')())

/** @throws TypeError, RangeError, {@link ExpressionError} */
export function checkedTotals(outputs: unknown, options: Partial<GroupOptions>): TotalRequest {
  const { parameters = {}, by, groups } = onlyNamed(options, 'option of total', ['parameters', 'by', 'groups'])
  if (!hasNames(outputs) || Object.keys(outputs).length === 0)
    throw unexpected('outputs', "expressions by name, { mass: 'mass' }", outputs)
  const entries = Object.entries(outputs) as [string, string][]
  for (const [name, text] of entries) {
    nameOf(name, 'outputs', [key])
    if (typeof text !== 'string') throw unexpected(name, 'one expression', text)
  }
  if ((by === undefined) !== (groups === undefined))
    throw new TypeError(`"${by === undefined ? 'by' : 'groups'}" is missing: groups need both "by" and "groups"`)
  if (by !== undefined && typeof by !== 'string') throw unexpected('by', 'one expression', by)
  if (groups !== undefined) whole(groups, 'groups', 1)
  const all: [string, string][] = by === undefined ? entries : [...entries, [key, by]]
  const maps: MapWorkload[] = []
  for (let n = 0; n < all.length; n += mostOutputs)
    maps.push(map(Object.fromEntries(all.slice(n, n + mostOutputs)), parameters))
  return { names: entries.map(([name]) => name), maps, groups }
}

/** Each output must be a number for each point. @throws TypeError */
function requireNumbers({ maps }: TotalRequest, shape: Pick<Shape, 'dimension' | 'vectors'>): void {
  for (const workload of maps)
    for (const [name, components] of mapComponents(workload, shape))
      if (components.length !== 1)
        throw new TypeError(
          `"${name}" expected one number per point, got an expression of vectors; name components, such as velocity_x`,
        )
}

/** The points of a run, checked: whether each expression finds what it reads. @throws TypeError, RangeError */
export function boundTotals(request: TotalRequest, particles: Attributes): Bound {
  const all = request.maps.map((workload) => bind(workload, particles))
  const { workload, bindings, ...first } = all[0] as Bound
  const shape = { ...first.shape, vectors: [...new Set(all.flatMap((bound) => bound.shape.vectors))] }
  requireNumbers(request, shape)
  const { targets } = bindings
  const arrays = Object.assign({}, ...all.map((bound) => bound.bindings.targets.arrays))
  const set = { ...targets, arrays }
  return { workload, shape, bindings: { ...bindings, targets: set, sources: set } }
}

/** @throws RangeError for a total that is not finite */
export function requireFiniteTotals(totals: Totals): void {
  for (const [name, total] of Object.entries(totals)) {
    const wrong = [total].flatMap((it) => (typeof it === 'number' ? it : [...it])).find((x) => !Number.isFinite(x))
    if (wrong !== undefined)
      throw new RangeError(`"${name}" expected expressions and a sum that are finite for these points, got ${wrong}`)
  }
}

export interface TotalPoints {
  readonly shape: Shape
  readonly bindings: Bindings
}

export class PointTotals {
  readonly #request: TotalRequest
  readonly #device: Device
  readonly #run: ScratchRun
  readonly #programs: Program[] = []
  /** What is added up for each name, or with groups, what is read. */
  #arrays: readonly DeviceBuffer[] = []

  private constructor(device: Device, request: TotalRequest) {
    this.#device = device
    this.#request = request
    this.#run = new ScratchRun(device)
  }

  /** For points whose arrays may be on the device. */
  static async create(device: Device, request: TotalRequest, points: TotalPoints): Promise<PointTotals> {
    const totals = new PointTotals(device, request)
    try {
      totals.#arrays = await totals.#prepare(points)
    } catch (error) {
      totals.dispose()
      throw error
    }
    return totals
  }

  async #prepare({ shape, bindings }: TotalPoints): Promise<readonly DeviceBuffer[]> {
    const { maps, names, groups } = this.#request
    const count = shape.targets
    const values = record<DeviceBuffer>([])
    for (const workload of maps) {
      const lengths = Object.fromEntries(workload.results.map((name) => [name, count]))
      const parameters = { ...bindings.parameters, ...workload.parameters }
      const program = await this.#program(workload, shape)
      Object.assign(values, await this.#run.add(program, { ...bindings, parameters }, lengths))
    }
    const arrayOf = (name: string) => values[name] as DeviceBuffer
    if (groups === undefined) return names.map(arrayOf)
    const group = await this.#run.filled(Float64Array.from({ length: groups }, (_, n) => n))
    // A sum over pairs needs places, which this one does not read.
    const [there, here] = [
      await this.#run.filled(new Float32Array(2 * groups)),
      await this.#run.filled(new Float32Array(2 * count)),
    ]
    const two: Shape = { dimension: 2, targets: groups, sources: count, sameSet: false, vectors: ['position'] }
    const program = await this.#program(ofGroup, two)
    const sums: DeviceBuffer[] = []
    for (const name of names) {
      const sources = { count, arrays: { position: here, value: arrayOf(name), [key]: arrayOf(key) } }
      const given = { targets: { count: groups, arrays: { position: there, group } }, sources, parameters: {} }
      sums.push((await this.#run.add(program, given, { value: groups })).value as DeviceBuffer)
    }
    return sums
  }

  async #program(workload: Workload, shape: Shape): Promise<Program> {
    const { info } = this.#device
    const support = this.#device.supports(workload, shape)
    if (!support.ok) throw new UnsupportedWorkloadError('total', info.backend, support.reason)
    const program = await this.#device.prepare(workload, shape)
    this.#programs.push(program)
    return program
  }

  /** The totals of the points as they are now. */
  async now(): Promise<Totals> {
    const { names, groups } = this.#request
    await this.#run.run()
    const found = await Promise.all(
      this.#arrays.map(async (array) =>
        groups === undefined ? totalOf(array) : Float64Array.from(await array.read()),
      ),
    )
    return record(names.map((name, n) => [name, found[n] as number | Float64Array]))
  }

  dispose(): void {
    this.#run.dispose()
    for (const program of this.#programs) program.dispose()
  }
}
