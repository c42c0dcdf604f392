/**
 * The smooth parts of forces with a mesh: as stages of a sequence, where the device computes them, or on the host between sequences.
 *
 * @module
 */

import type { Bindings, Device, DeviceBuffer, GridStage, RunOptions, Stage } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { SmoothParts } from '../../methods/mesh/smooth-parts.ts'
import { hasOpenAxes, inSquare, unsheared } from '../../problem/loaded-at-once.ts'
import { endMap } from '../forces/bond-stages.ts'
import type { ForceParts } from '../forces/force.ts'
import { endStages } from '../forces/link-stages.ts'
import { isMeshed, type PairPart } from '../forces/pair-part.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import { smoothStages } from '../forces/smooth-stages.ts'
import type { Tolerances } from '../forces/tolerances.ts'
import { workNames } from '../forces/work-names.ts'
import type { StepArrays } from './step-arrays.ts'

export type AnyStage = Stage | GridStage

/** The stages of a simulation, as far as meshes read them. */
interface Staged {
  readonly device: Device
  readonly arrays: StepArrays
  readonly parts: ForceParts
  readonly tolerances: Tolerances | undefined
  bindings(stage: Pick<PlannedStage, 'pair' | 'workload'>): Bindings
  made(planned: readonly PlannedStage[]): Promise<readonly Stage[]>
  forgetStages(planned: readonly PlannedStage[]): void
}

export class MeshStages {
  readonly #stages: Staged
  /** The latest stages that take excluded pairs out, by the number of their mesh. Other numbers make others. */
  readonly #excluding = new Map<number, readonly PlannedStage[]>()

  constructor(stages: Staged) {
    this.#stages = stages
  }

  /** Whether the device computes the smooth parts of all forces with a mesh within a sequence. */
  async takesGrids(planned: readonly PlannedStage[]): Promise<boolean> {
    const { device, arrays } = this.#stages
    // Along open axes, the grid depends on where the points are, which the device does not tell.
    const isOpen = ({ pair }: PlannedStage) => pair && hasOpenAxes(pair.workload.domain.boundary)
    if (planned.some((stage) => isMeshed(stage) && isOpen(stage))) return false
    for (const stage of planned) {
      const { sum } = (isMeshed(stage) && this.#partsOf(stage)) || {}
      if (sum && (await device.takesGridStage?.(sum, arrays.count)) !== true) return false
    }
    return device.gridSequence !== undefined
  }

  #partsOf({ pair, workload }: PlannedStage): SmoothParts | undefined {
    const { tolerances } = this.#stages
    return pair && tolerances?.smoothParts(pair, this.#stages.bindings({ pair, workload }))
  }

  /** The stages that add the smooth part of a force on the device. */
  async smooth(stage: PlannedStage): Promise<readonly AnyStage[]> {
    const parts = this.#partsOf(stage)
    if (!parts) return []
    const stages = this.#stages
    const pair = stage.pair as PairPart
    const mesh = stages.parts.pairs.indexOf(pair)
    const excluded = this.#excluded(pair, mesh, parts)
    stages.forgetStages(this.#excluding.get(mesh) ?? [])
    this.#excluding.set(mesh, excluded?.planned ?? [])
    const [array = ''] = Object.values(stage.outputs)
    const { before, after, weights, fields } = smoothStages(parts, mesh, array, excluded?.place)
    await stages.arrays.add([...weights, ...fields])
    const { outputs, targets } = stages.arrays.of(before)
    const { [workNames.square]: square = targets.arrays.position } = outputs
    const buffers = (names: readonly string[]) => names.map((name) => outputs[name] as DeviceBuffer)
    const grid: GridStage = {
      grid: parts.sum,
      // A grid has right angles.
      position: square as DeviceBuffer,
      weights: buffers(weights),
      fields: buffers(fields),
    }
    const [first, last] = [[...(excluded?.planned ?? []), before], [after]]
    return [...(await stages.made(first)), grid, ...(await stages.made(last))]
  }

  /** The stages that compute what takes excluded pairs out of a mesh, and the array where that goes. */
  #excluded(pair: PairPart, mesh: number, { takenOut }: SmoothParts) {
    const { arrays, parts } = this.#stages
    const { bonds } = parts.corrections.find(({ of }) => of === pair) ?? {}
    if (!bonds || !takenOut) return undefined
    const { dimension } = arrays.state
    const owner = workNames.excluded(mesh)
    const numbers = { [owner]: takenOut.numbers }
    const shape = { dimension, vectors: arrays.vectors, owner, numbers, neverPushes: true }
    const links = { links: bonds, map: endMap(takenOut.workload, bonds, shape) }
    const place = workNames.pull(parts.pairs.length + arrays.ends.links.indexOf(bonds))
    return { place, planned: endStages(links, place, { dimension, rounds: arrays.ends.rounds }) }
  }

  /** Adds the smooth part of a force to its short part, through the host. */
  async add({ pair, workload, outputs }: PlannedStage, options: Pick<RunOptions, 'signal'>): Promise<void> {
    const { arrays, tolerances } = this.#stages
    const part = pair as PairPart
    const own = await arrays.ofPairs()
    // A triclinic box that grows keeps its angles.
    const square = unsheared(part.workload.domain.boundary)
    const position = square ? inSquare(square, own.position as FloatArray) : (own.position as FloatArray)
    const points = { count: arrays.count, arrays: { ...own, position } }
    const given = { ...this.#stages.bindings({ pair: part, workload }), targets: points, sources: points }
    const smooth = await tolerances?.smooth(part, given, options)
    if (!smooth) return
    for (const name of Object.values(outputs)) {
      const buffer = arrays.of({ pair: part, workload }).outputs[name] as DeviceBuffer
      const sums = await buffer.read()
      for (const [n, x] of smooth.entries()) sums[n] = (sums[n] as number) + x
      await buffer.write(sums)
    }
  }
}
