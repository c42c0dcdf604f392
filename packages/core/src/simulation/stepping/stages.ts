/**
 * The stages of a simulation on one device: planned workloads with their programs and arrays. Each is made once, because an
 * integrator evaluates the same forces several times per step. This decides neither which stages run nor when.
 *
 * @module
 */
import type { Bindings, Device, DeviceBuffer, Program, Sequence, Stage } from '../../contract/backend.ts'
import { exclusionsOf } from '../../problem/workloads/exclusions.ts'
import { tablesIn } from '../../problem/workloads/numbers/device-numbers.ts'
import { requireFloat32 } from '../../problem/workloads/numbers/number-range.ts'
import { parametersOf } from '../../problem/workloads/parameters.ts'
import { joinedTables } from '../../problem/workloads/tables/layout.ts'
import type { ForceParts, PairPart } from '../forces/force.ts'
import type { PlannedStage } from '../forces/force-stages.ts'
import type { Tolerances } from '../forces/tolerances.ts'
import type { Carried } from '../state.ts'
import { requireSimulated, type StepArrays } from './step-arrays.ts'

/** A stage without places for its results. */
export type Unplaced = Omit<PlannedStage, 'outputs'>

export class Stages {
  /** The forces that may be approximated, once their settings are known. */
  tolerances: Tolerances | undefined
  readonly #programs: Program[] = []
  /** The arrays that stages carry from round to round, by their parts of the force. */
  readonly #carried = new Map<PairPart, DeviceBuffer>()
  readonly #made = new Map<PairPart | string, Promise<Stage>>()

  constructor(
    readonly device: Device,
    readonly parts: ForceParts,
    readonly arrays: StepArrays,
  ) {}

  async sequence(planned: readonly PlannedStage[]): Promise<Sequence> {
    return this.device.sequence(await Promise.all(planned.map((stage) => this.#once(stage))))
  }

  /** Forgets the stages of approximated forces after their settings have changed. */
  forgetApproximated(): void {
    for (const pair of this.parts.pairs) if (pair.method) this.#made.delete(pair)
  }

  #once(stage: PlannedStage): Promise<Stage> {
    const { workload, outputs, ends, clock } = stage
    const linked = ends && [this.arrays.links.indexOf(ends.links), ends.visits]
    const key = stage.pair ?? JSON.stringify([workload, outputs, linked, clock])
    const made = this.#made.get(key) ?? this.#stage(stage)
    this.#made.set(key, made)
    return made
  }

  async #stage(stage: PlannedStage): Promise<Stage> {
    const approximated = this.tolerances?.stageOf(stage.pair)
    const program = approximated?.program ?? (await this.program(stage))
    const { outputs } = this.arrays.of(stage)
    const into = Object.entries(stage.outputs).map(([result, name]) => [result, outputs[name]])
    const { tree, sources } = approximated ?? {}
    const carried = stage.pair && !tree ? await this.#carriedBy(stage.pair, program) : undefined
    return {
      ...{ program, bindings: this.bindings(stage), outputs: Object.fromEntries(into), tree, carried },
      ...(sources && { sources }),
    }
  }

  async #carriedBy(pair: PairPart, { carries }: Program): Promise<DeviceBuffer | undefined> {
    if (carries === undefined) return undefined
    const buffer = this.#carried.get(pair) ?? (await this.device.buffer(carries))
    this.#carried.set(pair, buffer)
    const before = this.arrays.state.carried?.[this.parts.pairs.indexOf(pair)]
    if (before?.length === carries) await buffer.write(before)
    return buffer
  }

  /** The numbers that stages carry, for each law of pairs; null for laws that carry nothing. Undefined if none carries any. */
  async carried(): Promise<Carried | undefined> {
    if (this.#carried.size === 0) return undefined
    return Promise.all(this.parts.pairs.map(async (pair) => (await this.#carried.get(pair)?.read()) ?? null))
  }

  /** A program that lives as long as these stages. @throws {@link UnsupportedWorkloadError} */
  async program(stage: Unplaced): Promise<Program> {
    const { workload } = stage
    const { shape } = this.arrays.of(stage)
    requireSimulated(this.device, workload, shape)
    if (this.device.info.precision === 'f32') requireFloat32(workload, shape, this.bindings(stage).parameters)
    const program = await this.device.prepare(workload, shape)
    this.#programs.push(program)
    return program
  }

  bindings(stage: Unplaced): Bindings {
    const { workload } = stage
    const { shape, targets, sources, lengthUnit } = this.arrays.of(stage)
    const exclusions = workload.loop === 'pair' ? exclusionsOf(workload, shape) : undefined
    // The parameters of the workload, and the unit of length if it is not the caller's.
    const parameters = { ...parametersOf(workload), ...(lengthUnit === undefined ? {} : { lengthUnit }) }
    const given = workload.loop === 'pair' ? workload.law.tables : undefined
    const tables = given && tablesIn(this.device.info.precision, joinedTables(given))
    return { targets, sources, parameters, ...(exclusions && { exclusions }), ...(tables && { tables }) }
  }

  dispose(): void {
    for (const program of this.#programs) program.dispose()
    for (const buffer of this.#carried.values()) buffer.dispose()
    this.tolerances?.dispose()
  }
}
