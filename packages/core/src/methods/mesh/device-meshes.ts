/**
 * Which sums of a mesh a device computes by itself: those over one set of points that a run repeats. The device keeps the arrays of the latest
 * one between calls, and one call at a time has it.
 *
 * @module
 */
import type { Bindings, Report } from '../../contract/backend.ts'
import { Remembered } from '../../ground/remember.ts'
import type { PairWorkload } from '../../problem/workloads/workload.ts'
import type { DevicePrograms } from '../tolerance/approximate.ts'
import { DeviceMesh, type GridDevice } from './device-mesh.ts'
import type { MeshPlan } from './mesh-plan.ts'
import type { MeshSums } from './mesh-sums.ts'
import type { MeshSetting } from './settings.ts'
import type { SmoothData } from './smooth-sum.ts'

/** The turn of a call. */
export interface Turn {
  /** Absent in the first sum of its kind, and if the device refuses. */
  readonly device?: DeviceMesh
  /** Of the latest short part that ran by itself. Only such a run counts the pairs that it computes. */
  readonly counted?: Report
  count(report: Report): void
  end(): void
}

/** All that a sum within a device depends on, but for the numbers of its points. */
interface Kind {
  readonly plan: MeshPlan
  readonly workload: PairWorkload
  /** The number of points, parameters and names of arrays. */
  readonly key: string
}

interface Latest extends Kind {
  device?: DeviceMesh | undefined
  counted?: Report
  refused?: true
}

class DeviceMeshes {
  #latest: Latest | undefined
  #isTaken = false

  /** Undefined while another call has its turn. */
  async turn(kind: Kind, holds: (device: DeviceMesh) => boolean, make: () => Promise<DeviceMesh | undefined>) {
    if (this.#isTaken) return undefined
    this.#isTaken = true
    try {
      return await this.#turn(kind, holds, make)
    } catch (error) {
      this.#isTaken = false
      throw error
    }
  }

  async #turn(
    kind: Kind,
    holds: (device: DeviceMesh) => boolean,
    make: () => Promise<DeviceMesh | undefined>,
  ): Promise<Turn> {
    const before = this.#latest
    const latest = before && isLike(before, kind) ? before : (kind as Latest)
    if (before && (before !== latest || (before.device && !holds(before.device)))) {
      before.device?.dispose()
      before.device = undefined
    }
    this.#latest = latest
    const { counted } = latest
    if (counted && !latest.refused) latest.device ??= await unlessTooLarge(make)
    if (counted && !latest.device) latest.refused = true
    const { device } = latest
    return {
      ...(counted && device && { counted, device }),
      count: (report) => {
        latest.counted = report
      },
      end: () => {
        this.#isTaken = false
      },
    }
  }
}

const isLike = (one: Kind, other: Kind): boolean =>
  one.plan === other.plan && one.workload === other.workload && one.key === other.key

/** Undefined if the device has no room. */
async function unlessTooLarge(make: () => Promise<DeviceMesh | undefined>): Promise<DeviceMesh | undefined> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const all = new Remembered<DevicePrograms, DeviceMeshes>()

/** The turn of a sum; undefined if its device does not compute such sums by itself. */
export async function turnOf(
  sums: MeshSums,
  setting: MeshSetting,
  plan: MeshPlan,
  bindings: Bindings,
  data: SmoothData,
): Promise<Turn | undefined> {
  const { programs, shape, followsPoints } = sums
  const { sameSet, split, scaled, lengths, ranged } = shape
  // A slab places its points along one axis alone. Runs that only measure errors are rare, and arrays of their own would be in the way.
  if (
    programs.rare ||
    !sameSet ||
    split ||
    scaled ||
    lengths ||
    ranged ||
    bindings.exclusions ||
    plan.grid.area !== undefined
  )
    return undefined
  const { device } = programs
  if (!isGridDevice(device)) return undefined
  sums.requireNeutral(plan, data)
  const short = sums.short(setting, plan.splits, bindings)
  sums.shortBindings(short, bindings)
  const extent = followsPoints ? data.extent : undefined
  const key = JSON.stringify([shape.targets, bindings.parameters, Object.keys(bindings.targets.arrays)])
  return all
    .of(programs, () => new DeviceMeshes())
    .turn(
      { plan, workload: short.workload, key },
      (held) => !extent || held.holds(extent),
      async () => {
        if (!(await device.takesGridStage?.(plan.grid.sum, shape.targets))) return undefined
        return DeviceMesh.of(device, { short, parts: sums.parts(setting, plan, bindings), shape, bindings, extent })
      },
    )
}

const isGridDevice = (device: DevicePrograms['device']): device is NonNullable<DevicePrograms['device']> & GridDevice =>
  device?.gridSequence !== undefined && device.buffer !== undefined && device.prepare !== undefined
