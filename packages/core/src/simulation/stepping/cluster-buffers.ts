/**
 * The arrays of constraints on one device: those of the clusters of each shape, and those that tell points their cluster.
 *
 * @module
 */
import type { Device, DeviceBuffer } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { clusterArrays, clusterOfPoints, massArrays } from '../constraints/cluster-arrays.ts'
import { clusterNames } from '../constraints/cluster-maps.ts'
import { type Clusters, clustersOf } from '../constraints/clusters.ts'
import type { Held } from '../constraints/constraint-stages.ts'
import type { Constraints } from '../constraints/constraints.ts'
import { fill, type NamedBuffers } from './buffers.ts'
import { mostWhole } from './end-arrays.ts'

export class ClusterBuffers {
  /** The constraints for stages. */
  readonly held: Held
  readonly #device: Device
  readonly #clusters = new Map<Clusters, NamedBuffers>()
  readonly #points = new Map<Clusters, NamedBuffers>()

  constructor(device: Device, { distances, boundary }: Constraints, dimension: Dimension, inertia: string) {
    this.#device = device
    const { precision } = device.info
    this.held = { clusters: clustersOf(distances), boundary, dimension, inertia, precision }
  }

  /** The arrays of the clusters of a shape. */
  of(clusters: Clusters): NamedBuffers {
    return this.#clusters.get(clusters) as NamedBuffers
  }

  /** The arrays that tell points their cluster of a shape. */
  ofPoints(clusters: Clusters): NamedBuffers {
    return this.#points.get(clusters) as NamedBuffers
  }

  async allocate(masses: FloatArray): Promise<void> {
    const count = masses.length
    if (this.#device.info.precision === 'f32' && count > mostWhole)
      throw new RangeError(
        `"constraints" expected at most ${mostWhole} points, because float32 counts no further, got ${count}; use precision "f64"`,
      )
    for (const clusters of this.held.clusters) {
      const [own, points]: [NamedBuffers, NamedBuffers] = [{}, {}]
      this.#clusters.set(clusters, own)
      this.#points.set(clusters, points)
      await fill(this.#device, own, clusterArrays(clusters, this.held.dimension, masses))
      await fill(this.#device, points, clusterOfPoints(clusters, count))
    }
  }

  /** Takes other masses. */
  async reweigh(masses: FloatArray): Promise<void> {
    for (const clusters of this.held.clusters)
      for (const [name, numbers] of Object.entries(massArrays(clusters, masses)))
        await this.of(clusters)[name]?.write(numbers)
  }

  /** The sum of the virials that the stages found. */
  async virial(): Promise<number> {
    let total = 0
    for (const clusters of this.held.clusters)
      for (const one of await (this.of(clusters)[clusterNames.virial] as DeviceBuffer).read()) total += one
    return total
  }

  dispose(): void {
    for (const buffers of [...this.#clusters.values(), ...this.#points.values()])
      for (const buffer of Object.values(buffers)) buffer.dispose()
  }
}
