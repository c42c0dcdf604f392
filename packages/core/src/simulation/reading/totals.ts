/**
 * Points folded into a few numbers on a device: an expression of each point is added up over all points, or over the points of each
 * group.
 *
 * @module
 */

import type { Device, DeviceBuffer, Program } from '../../contract/backend.ts'
import { UnsupportedWorkloadError } from '../../ground/errors.ts'
import { record } from '../../ground/names.ts'
import { pairTerm } from '../../problem/interactions/define.ts'
import { sum } from '../../problem/workloads/pair.ts'
import type { Shape, Workload } from '../../problem/workloads/workload.ts'
import { exactTotals } from './exact-totals.ts'
import { ScratchRun, totalOf } from './scratch-run.ts'
import {
  type HostPoints,
  type TotalPoints,
  type TotalRequest,
  type Totals,
  totalGroup,
  totalOutside,
} from './total-request.ts'

/** The sum over the points of each group. Rounding may move the number of a group by less than 1/4. */
const ofGroup = sum(pairTerm('select(abs(totalGroup_j - group_i) < 0.25, value_j, 0)')())

export class PointTotals {
  readonly #request: TotalRequest
  readonly #device: Device
  readonly #points: TotalPoints
  readonly #run: ScratchRun
  readonly #programs: Program[] = []
  /** The array of each name: one number per point, or with groups, one sum per group. */
  #arrays: readonly DeviceBuffer[] = []
  /** With groups: the group of each point, and whether it is outside all groups. */
  #groups: { readonly group: DeviceBuffer; readonly outside: DeviceBuffer } | undefined

  private constructor(device: Device, request: TotalRequest, points: TotalPoints) {
    this.#device = device
    this.#request = request
    this.#points = points
    this.#run = new ScratchRun(device)
  }

  /** For points with arrays that may be on the device. */
  static async create(device: Device, request: TotalRequest, points: TotalPoints): Promise<PointTotals> {
    const totals = new PointTotals(device, request, points)
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
    this.#groups = { group: arrayOf(totalGroup), outside: arrayOf(totalOutside) }
    const group = await this.#run.filled(Float64Array.from({ length: groups }, (_, n) => n))
    // A sum over pairs needs positions, though this one does not read them.
    const [there, here] = [
      await this.#run.filled(new Float32Array(2 * groups)),
      await this.#run.filled(new Float32Array(2 * count)),
    ]
    const two: Shape = { dimension: 2, targets: groups, sources: count, sameSet: false, vectors: ['position'] }
    const program = await this.#program(ofGroup, two)
    const sums: DeviceBuffer[] = []
    for (const name of names) {
      const sources = { count, arrays: { position: here, value: arrayOf(name), [totalGroup]: arrayOf(totalGroup) } }
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

  /** The totals of the points as they are now. @throws RangeError for a total that is not finite, or a point without a group */
  async now(): Promise<Totals> {
    const { names, groups } = this.#request
    await this.#run.run()
    await this.#requireGroups()
    const found = await Promise.all(
      this.#arrays.map(async (array) =>
        groups === undefined ? totalOf(array) : Float64Array.from(await array.read()),
      ),
    )
    const finite = found.every((total) => (typeof total === 'number' ? [total] : total).every(Number.isFinite))
    if (finite) return record(names.map((name, n) => [name, found[n] as number | Float64Array]))
    return exactTotals(this.#request, await this.#onHost())
  }

  async #requireGroups(): Promise<void> {
    if (!this.#groups || (await totalOf(this.#groups.outside)) === 0) return
    const { groups = 0 } = this.#request
    const [strays, group] = [await this.#groups.outside.read(), await this.#groups.group.read()]
    const point = strays.findIndex((is) => is !== 0)
    throw new RangeError(
      `"by" expected a whole number from 0 to ${groups - 1} for each point, got ${group[point]} for point ${point}; raise "groups", or let "by" put such points in a group of their own, as min(..., ${groups - 1}) does`,
    )
  }

  async #onHost(): Promise<HostPoints> {
    const { shape, bindings } = this.#points
    const read = Object.entries(bindings.targets.arrays).map(
      async ([name, array]) => [name, ArrayBuffer.isView(array) ? array : await array.read()] as const,
    )
    return { shape, arrays: Object.fromEntries(await Promise.all(read)), parameters: bindings.parameters }
  }

  dispose(): void {
    this.#run.dispose()
    for (const program of this.#programs) program.dispose()
  }
}
