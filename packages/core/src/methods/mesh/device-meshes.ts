/**
 * Which sums of a mesh a device computes by itself: those over one set of points that a run repeats. The device keeps the arrays of the latest
 * two between calls, and one call at a time has its turn.
 *
 * @module
 */
import type { Bindings, Report } from '../../contract/backend.ts'
import { Remembered } from '../../ground/remember.ts'
import type { DevicePrograms } from '../tolerance/approximate.ts'
import { DeviceMesh, type GridDevice, unlessRefused } from './device-mesh.ts'
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
  /** The short part, the number of points, parameters and names of arrays. */
  readonly key: string
}

interface Known extends Kind {
  device?: DeviceMesh | undefined
  counted?: Report
  refused?: boolean
}

/** How many kinds are known, and how many of them have a device: forces and potentials may take turns. */
const [mostKnown, mostHeld] = [6, 2]

class DeviceMeshes {
  /** The latest first. */
  readonly #known: Known[] = []
  #isTaken = false

  /** Undefined while another call has its turn. */
  async turn(
    kind: Kind,
    holds: (device: DeviceMesh) => boolean,
    make: () => Promise<DeviceMesh | undefined>,
  ): Promise<Turn | undefined> {
    if (this.#isTaken) return undefined
    this.#isTaken = true
    try {
      const known = this.#take(kind)
      if (known.device && !holds(known.device)) drop(known)
      if (known.counted && !known.refused) {
        known.device ??= await unlessRefused(make)
        known.refused = !known.device
      }
      const { counted, device } = known
      return {
        ...(counted && device && { counted, device }),
        count: (report) => {
          known.counted = report
        },
        end: () => {
          this.#isTaken = false
        },
      }
    } catch (error) {
      this.#isTaken = false
      throw error
    }
  }

  /** What is known of a kind, as the latest one. */
  #take(kind: Kind): Known {
    const at = this.#known.findIndex((one) => isLike(one, kind))
    const [known = { ...kind } as Known] = at < 0 ? [] : this.#known.splice(at, 1)
    this.#known.unshift(known)
    for (const one of this.#known.slice(mostHeld)) drop(one)
    this.#known.length = Math.min(this.#known.length, mostKnown)
    return known
  }
}

function drop(known: Known): void {
  known.device?.dispose()
  known.device = undefined
}

const isLike = (one: Kind, other: Kind): boolean => one.plan === other.plan && one.key === other.key

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
  // Runs that only measure errors are rare, and arrays of their own would be in the way.
  if (programs.rare || !suits(sums, plan, bindings)) return undefined
  const { device } = programs
  if (!isGridDevice(device)) return undefined
  sums.requireNeutral(plan, data)
  const short = sums.short(setting, plan.splits, bindings)
  sums.shortBindings(short, bindings)
  const extent = followsPoints ? data.extent : undefined
  // Callers may make their workload anew for each run.
  const { law, quantity, results, domain } = short.workload
  const key = JSON.stringify([
    ...[law.expressions, quantity, results, domain.self, shape.targets, bindings.parameters],
    ...Object.keys(bindings.targets.arrays),
  ])
  return all
    .of(programs, () => new DeviceMeshes())
    .turn(
      { plan, key },
      (held) => !extent || held.holds(extent),
      async () => {
        if (!(await device.takesGridStage?.(plan.grid.sum, shape.targets))) return undefined
        const parts = sums.parts(setting, plan, bindings)
        return DeviceMesh.of(device, { short, parts, shape, extent }, bindings)
      },
    )
}

/** Whether the maps around the grid compute these points: one plain set, without pairs to take out. */
function suits({ shape, kernels }: MeshSums, { grid }: MeshPlan, { exclusions }: Bindings): boolean {
  const { sameSet, split, scaled, lengths, ranged } = shape
  if (!sameSet || split || scaled || lengths || ranged || exclusions) return false
  // A slab places its points along one axis alone.
  if (grid.area !== undefined) return false
  // A computed weight may exceed float32 on its way, which it does not on the host.
  return kernels.weights.every(({ kind }) => kind === 'symbol' || kind === 'constant')
}

const isGridDevice = (device: DevicePrograms['device']): device is NonNullable<DevicePrograms['device']> & GridDevice =>
  device?.gridSequence !== undefined && device.buffer !== undefined && device.prepare !== undefined
