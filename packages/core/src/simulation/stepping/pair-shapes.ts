/**
 * The shapes of the programs for loops over pairs, and their units of length: sums of forces, and the rule for pairs of adaptive steps.
 *
 * @module
 */
import type { Device, PointSet } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { UnsupportedWorkloadError } from '../../ground/errors.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { copiedRun } from '../../problem/workloads/copied-cells.ts'
import { withCutoffBound } from '../../problem/workloads/cutoff-bound.ts'
import { isVectorSum } from '../../problem/workloads/law-facts.ts'
import { deviceNumbers } from '../../problem/workloads/numbers/device-numbers.ts'
import { parametersOf } from '../../problem/workloads/parameters.ts'
import type { PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'
import type { PairReads } from '../check-forces.ts'
import { hasImages } from '../forces/cell-images.ts'
import type { PairPart } from '../forces/force.ts'
import { boundaryNow, parametersInBox } from '../numbers/box.ts'
import { cutoffNow } from '../numbers/cutoffs.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import { numbersOfPair } from '../numbers/pair-numbers.ts'
import type { BoundSimulation } from '../state.ts'

/** The shape of programs, and the unit of length if it is not the caller's. */
interface PairShape {
  readonly shape: Shape
  readonly lengthUnit: number | undefined
}

/** @throws {@link UnsupportedWorkloadError} with the reason of the device */
export function requireSimulated(device: Device, workload: Workload, shape: Shape): void {
  if (isVectorSum(workload, shape) && !device.sumsVectors)
    throw new UnsupportedWorkloadError(
      'simulation',
      device.info.backend,
      'it sums a few components of a vector at a time, which a simulation does not do; use the backend cpu-wasm or webgpu',
    )
  const support = device.supports(workload, shape)
  if (!support.ok) throw new UnsupportedWorkloadError('simulation', device.info.backend, support.reason)
}

export class PairShapes {
  readonly #device: Device
  readonly #found = new Map<PairPart | 'encounters', PairShape>()

  constructor(
    device: Device,
    public reads: BoundSimulation['reads'],
  ) {
    this.#device = device
  }

  /** Programs are made for the first shape. Later ones differ only in the unit of length, which any points may have. */
  of(part: PairPart | 'encounters'): PairShape | undefined {
    return this.#found.get(part)
  }

  /**
   * Finds the shape for these points, and checks their numbers.
   *
   * @throws {@link UnsupportedWorkloadError} before anything is allocated; RangeError for numbers that the device does not hold
   */
  find(part: PairPart, points: Set, numbers: SimulationNumbers): void {
    const { workload } = part
    const { shape: read } = this.reads.get(part) as PairReads
    const plain = { ...read, targets: points.count, sources: points.count }
    const own = numbersOfPair(part, numbers)
    const given = { ...parametersOf(workload, own.parameters, own.tables), ...cutoffNow(part, numbers) }
    const inBox = parametersInBox(workload, given, numbers)
    const all = { targets: points.arrays, sources: points.arrays, tables: own.tables, parameters: inBox }
    const parameters = withCutoffBound(workload, plain, all, boundaryNow(workload.domain.boundary, numbers))
    const run = { workload, shape: plain, bindings: { targets: points, sources: points, parameters } }
    this.#keep(part, hasImages(part) ? copiedRun(run).bound : run)
  }

  /** Finds the shape for the rule for pairs of adaptive steps. @throws as `find` */
  findEncounters(workload: PairWorkload, shape: Shape, points: Set, numbers: SimulationNumbers): void {
    const parameters = parametersInBox(workload, parametersOf(workload), numbers)
    this.#keep('encounters', { workload, shape, bindings: { targets: points, sources: points, parameters } })
  }

  #keep(key: PairPart | 'encounters', bound: Bound): void {
    // The state is kept in float32, so the extra digits of float64 positions are lost: do not split them.
    const { shape: found, bindings } = deviceNumbers(bound, this.#device.info.precision)
    const { split: _, ...shape } = found
    requireSimulated(this.#device, bound.workload, shape)
    if (!this.#found.has(key)) this.#found.set(key, { shape, lengthUnit: bindings.parameters.lengthUnit })
  }
}

/** Points on the host. */
type Set = Omit<PointSet, 'arrays'> & { readonly arrays: Readonly<Record<string, FloatArray>> }
