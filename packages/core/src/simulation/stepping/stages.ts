/**
 * The stages of a simulation on one device: planned workloads with their programs and arrays. Each is made once, because an
 * integrator evaluates the same forces several times per step. This decides neither which stages run nor when.
 *
 * @module
 */
import type { Bindings, Device, DeviceBuffer, Program, Sequence, Stage } from '../../contract/backend.ts'
import { promised } from '../../ground/promised.ts'
import type { ShortPart } from '../../methods/mesh/short-law.ts'
import { requireFloat32 } from '../../problem/workloads/numbers/number-range.ts'
import { parametersOf, sameParameters } from '../../problem/workloads/parameters.ts'
import type { Shape } from '../../problem/workloads/workload.ts'
import type { ForceParts } from '../forces/force.ts'
import { isMeshed, type PairPart } from '../forces/pair-part.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import type { Tolerances } from '../forces/tolerances.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import { numbersOfPair } from '../numbers/pair-numbers.ts'
import type { Carried } from '../state.ts'
import { rangesOf } from '../test-particles.ts'
import type { AnyStage, MeshStages } from './mesh-stages.ts'
import { requireSimulated } from './pair-shapes.ts'
import type { HeldProgram, SharedPrograms } from './recovery.ts'
import { keyOf, keyOfStage } from './stage-keys.ts'
import { bindingsIn, numbersOfStage, reaching, runOf, type Unplaced } from './stage-numbers.ts'
import type { StageSequence } from './stage-sequence.ts'
import type { StepArrays } from './step-arrays.ts'

const isPlain = (stages: readonly AnyStage[]): stages is readonly Stage[] => !stages.some((stage) => 'grid' in stage)

const unwatched = {}

/** A planned stage with its program and arrays. */
interface Made {
  readonly planned: PlannedStage
  readonly shape: Shape
  stage: Stage
}

export class Stages {
  /** The forces that may be approximated, once their settings are known. */
  tolerances: Tolerances | undefined
  readonly #programs: SharedPrograms
  /** By the key of their computation, which does not depend on numbers. */
  readonly #held = new Map<string, Promise<HeldProgram>>()
  /** The programs that run over this number of points only. */
  readonly #exact = new Set<string>()
  /** The programs whose tolerance is measured, which keeps memory for all points. */
  readonly #measured = new Set<string>()
  /** The arrays that stages carry from round to round, by the places of their laws among those of pairs. */
  readonly #carried = new Map<number, DeviceBuffer>()
  readonly #made = new Map<PairPart | string, Promise<Made>>()
  readonly #keys = new WeakMap<PlannedStage, PairPart | string>()
  /** The parameters of stages that float32 holds. */
  readonly #inRange = new WeakMap<Unplaced, Bindings['parameters']>()

  constructor(
    programs: SharedPrograms,
    readonly arrays: StepArrays,
  ) {
    this.#programs = programs
  }

  get device(): Device {
    return this.#programs.device
  }

  get parts(): ForceParts {
    return this.arrays.parts
  }

  async sequence(planned: readonly PlannedStage[]): Promise<StageSequence> {
    if (!planned.some(isMeshed)) return this.#onDevice(planned)
    const [{ meshedSequence }, { MeshStages }] = await Promise.all([
      import('./stage-sequence.ts'),
      import('./mesh-stages.ts'),
    ])
    const meshes = new MeshStages(this)
    return meshedSequence(planned, meshes, (part, grids) => this.#onDevice(part, grids ? meshes : undefined))
  }

  /** @param meshes makes the stages of the smooth parts of forces with a mesh, if the device computes them */
  async #onDevice(planned: readonly PlannedStage[], meshes?: MeshStages): Promise<StageSequence> {
    let plan = planned
    let made = await this.#all(plan, meshes)
    let sequence: Sequence = await this.#sequenceOf(made)
    const rebind = async (given: readonly PlannedStage[] = plan) => {
      plan = given
      made = await this.#all(plan, meshes)
      const old = sequence
      sequence = await this.#sequenceOf(made)
      old.dispose()
    }
    return {
      run: (times, options = unwatched) =>
        sequence.begin ? sequence.begin(times, options) : sequence.run(times, options),
      rebind,
      renew: async (given = plan) => {
        const stages = await this.#all(given, meshes)
        const same = stages.length === made.length && stages.every((stage, n) => onlyRenumbered(stage, made[n]))
        if (!same || !isPlain(stages) || !(await sequence.renumber?.(stages))) return rebind(given)
        plan = given
        made = stages
      },
      dispose: () => sequence.dispose(),
    }
  }

  async #sequenceOf(stages: readonly AnyStage[]): Promise<Sequence> {
    if (isPlain(stages)) return this.device.sequence(stages)
    return (this.device as Required<Device>).gridSequence(stages)
  }

  async #all(planned: readonly PlannedStage[], meshes: MeshStages | undefined): Promise<readonly AnyStage[]> {
    const own = await this.made(planned)
    if (!meshes) return own
    const all: AnyStage[] = []
    // One after the other, because the occurrences of a force in a step share their arrays.
    for (const [n, stage] of planned.entries())
      all.push(own[n] as Stage, ...(isMeshed(stage) ? await meshes.smooth(stage) : []))
    return all
  }

  /** Planned stages with their programs and arrays. */
  made(planned: readonly PlannedStage[]): Promise<readonly Stage[]> {
    return Promise.all(planned.map(async (one) => (await this.#once(one)).stage))
  }

  /** Prepares the forces with a tolerance. */
  async approximate(): Promise<void> {
    const { Tolerances } = await import('../forces/tolerances.ts')
    this.tolerances = await Tolerances.of(this.arrays, this.parts.pairs, async (workload, pair) => {
      const { shape } = this.arrays.of({ workload, pair })
      return { program: await this.program({ workload, pair }), shape }
    })
  }

  /** Forgets the stages of approximated forces after their settings have changed. */
  forgetApproximated(): void {
    for (const pair of this.parts.pairs) if (pair.method) this.#made.delete(pair)
  }

  /** Forgets stages that others replace, but not their programs. */
  forgetStages(planned: readonly PlannedStage[]): void {
    for (const stage of planned) this.#made.delete(this.#keys.get(stage) ?? keyOfStage(stage, this.arrays))
  }

  /** Forgets the stages, but not their programs. */
  forget(): void {
    this.#made.clear()
  }

  /** Forgets all that depends on the number of points. */
  async recount(): Promise<void> {
    this.forget()
    for (const key of this.#exact) {
      whenMade(this.#held.get(key), ({ drop }) => drop())
      this.#held.delete(key)
    }
    this.#exact.clear()
    await this.forgetCarried()
  }

  /** Forgets the lists of near pairs, which hold for the box of before. */
  async forgetCarried(): Promise<void> {
    for (const buffer of this.#carried.values()) await buffer.write(new Float32Array(buffer.length))
  }

  /** Gives the stages the numbers of now. @throws RangeError for numbers that float32 does not hold */
  async renumber(): Promise<void> {
    // Other numbers of a law have other short parts.
    for (const pair of this.parts.pairs) if (isMeshed({ pair })) this.#made.delete(pair)
    for (const made of await Promise.all(this.#made.values())) {
      const { planned, shape, stage } = made
      const { bindings } = stage
      const { lengthUnit } = bindings.parameters
      const { parameters, tables } = numbersOfStage(planned, this.arrays, lengthUnit)
      if (tables === bindings.tables && sameParameters(parameters, bindings.parameters)) continue
      this.#requireHeld(planned, shape, parameters)
      made.stage = { ...stage, bindings: { ...bindings, parameters, ...(tables && { tables }) } }
    }
  }

  #once(stage: PlannedStage): Promise<Made> {
    const key = this.#keys.get(stage) ?? keyOfStage(stage, this.arrays)
    this.#keys.set(stage, key)
    return promised(this.#made, key, () => this.#stage(stage))
  }

  async #stage(planned: PlannedStage): Promise<Made> {
    const short = this.#shortOf(planned)
    const stage = short ? { ...planned, workload: short.workload } : planned
    const approximated = short ? undefined : this.tolerances?.stageOf(stage.pair)
    const program = approximated?.program ?? (await this.program(stage))
    const arrays = this.arrays.of(stage)
    const { outputs } = arrays
    const into = Object.entries(stage.outputs).map(([result, name]) => [result, outputs[name]])
    const { tree, sources }: Pick<Stage, 'tree' | 'sources'> =
      approximated ?? rangesOf(this.arrays.state.sources, stage.pair !== undefined || stage.encounters === true)
    const carried = stage.pair && !tree && !sources ? await this.#carriedBy(stage.pair, program) : undefined
    const own = bindingsIn(stage, arrays, this.arrays)
    const bindings = short ? { ...own, parameters: { ...own.parameters, ...short.numbers } } : own
    this.#requireHeld(stage, arrays.shape, bindings.parameters)
    const made = { program, bindings, outputs: Object.fromEntries(into), tree, carried, ...(sources && { sources }) }
    return { planned, shape: arrays.shape, stage: made as Stage }
  }

  /** The short part of a force with a mesh. */
  #shortOf(stage: Unplaced): ShortPart | undefined {
    return stage.pair && isMeshed(stage) ? this.tolerances?.short(stage.pair, this.bindings(stage)) : undefined
  }

  #requireHeld(stage: Unplaced, shape: Shape, parameters: Bindings['parameters']): void {
    if (this.device.info.precision !== 'f32') return
    const known = this.#inRange.get(stage)
    if (known && sameParameters(known, parameters)) return
    requireFloat32(runOf(stage, this.arrays), shape, parameters)
    this.#inRange.set(stage, parameters)
  }

  async #carriedBy(pair: PairPart, { carries }: Program): Promise<DeviceBuffer | undefined> {
    if (carries === undefined) return undefined
    const place = this.parts.sums.indexOf(pair)
    const known = this.#carried.get(place)
    if (known?.length === carries) return known
    known?.dispose()
    const buffer = await this.device.buffer(carries)
    this.#carried.set(place, buffer)
    const before = this.arrays.state.carried?.[place]
    if (before?.length === carries) await buffer.write(before)
    return buffer
  }

  /** The numbers that stages carry, for each law of pairs; null for laws that carry nothing. Undefined if none carries any. */
  async carried(): Promise<Carried | undefined> {
    if (this.#carried.size === 0) return undefined
    return Promise.all(this.parts.sums.map(async (_, n) => (await this.#carried.get(n)?.read()) ?? null))
  }

  /** A program that lives as long as these stages. @throws {@link UnsupportedWorkloadError} */
  async program(stage: Unplaced): Promise<Program> {
    const key = keyOf(stage, this.arrays)
    return (await promised(this.#held, key, () => this.#hold(stage, key))).program
  }

  async #hold(stage: Unplaced, key: string): Promise<HeldProgram> {
    const workload = runOf(stage, this.arrays)
    const { shape, room } = this.arrays.of(stage)
    requireSimulated(this.device, workload, room)
    this.#requireHeld(stage, shape, this.bindings(stage).parameters)
    const held = await this.#programs.hold(workload, room)
    if (stage.pair?.method) this.#measured.add(key)
    if (held.program.fewer) return held
    this.#exact.add(key)
    if (this.arrays.capacity === this.arrays.count) return held
    held.end()
    return this.#programs.hold(workload, shape)
  }

  bindings(stage: Unplaced): Bindings {
    return bindingsIn(stage, this.arrays.of(stage), this.arrays)
  }

  /** @throws RangeError if pairs that have cutoffs of their own would reach farther than a box of some numbers holds */
  requireReach(numbers: SimulationNumbers): void {
    for (const pair of this.arrays.parts.sums) {
      const { parameters, tables } = numbersOfPair(pair, numbers)
      reaching(pair.workload, { ...parametersOf(pair.workload, parameters, tables) }, this.arrays, { tables, numbers })
    }
  }

  dispose(): void {
    for (const [key, held] of this.#held) whenMade(held, ({ drop, end }) => (this.#measured.has(key) ? drop() : end()))
    for (const buffer of this.#carried.values()) buffer.dispose()
    this.tolerances?.dispose()
  }
}

/** Ends a program, unless it could not be made: whoever asked for it got the error. */
function whenMade(held: Promise<HeldProgram> | undefined, ends: (held: HeldProgram) => void): void {
  held?.then(ends, () => {})
}

/** Whether a stage differs from another in its parameters and tables at most. */
function onlyRenumbered(stage: AnyStage, before: AnyStage | undefined): boolean {
  if (!before || 'grid' in stage || 'grid' in before) return false
  return (
    stage.program === before.program &&
    stage.tree === before.tree &&
    stage.bindings.tables?.length === before.bindings.tables?.length &&
    stage.sources === before.sources
  )
}
