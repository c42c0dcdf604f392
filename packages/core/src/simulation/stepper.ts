/**
 * The state of a simulation on one device: arrays, programs, and the sequence of one step.
 *
 * It lives as long as its device. When the device is lost, the simulation makes another from host data.
 *
 * @module
 */
import type { Bindings, Device, DeviceBuffer, Program, Sequence, Stage } from '../backend.ts'
import type { FloatArray } from '../checks.ts'
import { UnsupportedWorkloadError } from '../errors.ts'
import { toText } from '../expression/infix.ts'
import type { Expr } from '../expression/nodes.ts'
import { exclusionsOf } from '../workloads/exclusions.ts'
import { requireFloat32 } from '../workloads/numbers/number-range.ts'
import { energy, virial } from '../workloads/pair.ts'
import { parametersOf } from '../workloads/parameters.ts'
import { map } from '../workloads/particle.ts'
import type { MapWorkload, PairWorkload } from '../workloads/workload.ts'
import { arrayNamed, moving, type PointArrays } from './arrays.ts'
import { endMap } from './forces/bond-stages.ts'
import { componentIn } from './forces/components.ts'
import { atTime, type ExternalForce, energyOfPoint } from './forces/external-force.ts'
import type { ForceParts, PairPart } from './forces/force.ts'
import { componentStages, countingStage, forceStages, type PlannedStage, timeAfter } from './forces/force-stages.ts'
import type { ForceError, Tolerances } from './forces/tolerances.ts'
import { added } from './reading/added.ts'
import { type Addition, Sums } from './reading/sums.ts'
import type { TotalRequest, Totals } from './reading/totals.ts'
import { forcesIn, type SimulationState } from './state.ts'
import { mostWhole, StepArrays } from './step-arrays.ts'

/** A workload whose numbers are added up, and the factor of their sum. */
type Addend = Omit<PlannedStage, 'outputs'> & { readonly factor: number }

/** The errors of forces with a tolerance are measured after each multiple of so many steps. */
const measuredEvery = 64

export class Stepper {
  /** The number of steps that the arrays on the device have taken. */
  steps: number
  /** Whether the arrays are the state after that number of steps. False if a run was interrupted. */
  intact = true

  readonly #parts: ForceParts
  readonly #arrays: StepArrays
  readonly #programs: Program[] = []
  readonly #stages = new Map<PairPart | string, Promise<Stage>>()
  readonly #sums: Sums
  #tolerances: Tolerances | undefined
  #step: Sequence | undefined
  #evaluation: Sequence | undefined
  /** Copies components of vectors for the laws that read them. */
  #splitting: Sequence | undefined

  private constructor(
    readonly device: Device,
    public state: SimulationState,
  ) {
    this.steps = state.steps
    this.#parts = forcesIn(state)
    this.#sums = new Sums(device)
    this.#arrays = new StepArrays(device, this.#parts, state)
  }

  static async create(device: Device, state: SimulationState): Promise<Stepper> {
    const stepper = new Stepper(device, state)
    try {
      await stepper.#arrays.allocate()
      await stepper.#prepare()
    } catch (error) {
      stepper.dispose()
      throw error
    }
    return stepper
  }

  get #target(): 'acceleration' | 'velocity' {
    return this.state.integrator.motion === 'first-order' ? 'velocity' : 'acceleration'
  }

  async #prepare(): Promise<void> {
    const { settings, arrays } = this.state
    if (this.#parts.pairs.some(({ method }) => method)) await this.#approximate()
    if (settings) this.#tolerances?.startFrom(settings)
    else await this.#tolerances?.measure(await this.#numbers(), this.steps)
    const step = await this.#makeStep()
    const splitting = componentStages(this.#arrays.components)
    if (splitting.length > 0) this.#splitting = await this.#sequence(splitting)
    if (this.#target === 'velocity' || arrays.acceleration === undefined) await this.#evaluate()
    this.#step = step
  }

  async #approximate(): Promise<void> {
    const { Tolerances } = await import('./forces/tolerances.ts')
    const { pairs } = this.#parts
    this.#tolerances = await Tolerances.of(this.device, pairs, this.state.dimension, async (workload, pair) => {
      const { shape } = this.#arrays.of({ workload, pair })
      return { program: await this.#program({ workload, pair }), shape }
    })
  }

  /** The sequence of one step. */
  async #makeStep(): Promise<Sequence> {
    const { integrator, dt } = this.state
    const { components } = this.#arrays
    const written = this.#written()
    const moved = new Map([...components].filter(([, { vector }]) => written.has(vector)))
    const planned = integrator.stages.flatMap((stage): readonly PlannedStage[] => {
      if (stage.kind === 'force') return [...componentStages(moved), ...this.#evaluationAt(stage.at ?? 1)]
      const workload = map(stage.outputs, { h: stage.fraction * dt })
      return [{ workload, outputs: Object.fromEntries(Object.keys(stage.outputs).map((name) => [name, name])) }]
    })
    return this.#sequence([...planned, ...countingStage(this.#parts)])
  }

  /** The arrays that laws of pairs read, as they are now. */
  async #numbers(): Promise<Readonly<Record<string, FloatArray>>> {
    const { points, components } = this.#arrays
    const vectors = new Set([...components.values()].map(({ vector }) => vector))
    const names = Object.keys(points).filter(
      (name) => name === 'position' || !moving.includes(name) || vectors.has(name),
    )
    const arrays = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await this.read(name)] as const)),
    )
    const { dimension } = this.state
    const split = [...components].map(([name, of]) => [
      name,
      componentIn(arrays[of.vector] as FloatArray, of, dimension),
    ])
    const read = Object.entries(arrays).filter(([name]) => name === 'position' || !moving.includes(name))
    return Object.fromEntries([...read, ...split])
  }

  /** Measures the errors of the forces, and makes the sequences again if a setting has changed. */
  async #measure(): Promise<void> {
    if (!(await this.#tolerances?.measure(await this.#numbers(), this.steps))) return
    for (const pair of this.#parts.pairs) if (pair.method) this.#stages.delete(pair)
    const [step, evaluation] = [this.#step, this.#evaluation]
    this.#evaluation = undefined
    this.#step = await this.#makeStep()
    step?.dispose()
    evaluation?.dispose()
  }

  #evaluationAt(at: number): readonly PlannedStage[] {
    const { dimension, dt, fixed = [] } = this.state
    const { vectors, rounds } = this.#arrays
    const options = { dimension, dt, at, target: this.#target, vectors, rounds, fixed: fixed.length > 0 }
    return forceStages(this.#parts, options)
  }

  /** Computes the forces of the current state. */
  async #evaluate(): Promise<void> {
    await this.#splitting?.run(1)
    this.#evaluation ??= await this.#sequence(this.#evaluationAt(0))
    await this.#evaluation.run(1)
  }

  async #sequence(planned: readonly PlannedStage[]): Promise<Sequence> {
    return this.device.sequence(await Promise.all(planned.map((stage) => this.#once(stage))))
  }

  /** Makes each stage once: an integrator evaluates the same forces several times per step. */
  #once(stage: PlannedStage): Promise<Stage> {
    const { workload, outputs, ends } = stage
    const bonds = ends && [this.#parts.bonds.findIndex((part) => part.bonds === ends.bonds), ends.visits]
    const key = stage.pair ?? JSON.stringify([workload, outputs, bonds])
    const made = this.#stages.get(key) ?? this.#stage(stage)
    this.#stages.set(key, made)
    return made
  }

  async #stage(stage: PlannedStage): Promise<Stage> {
    const approximated = this.#tolerances?.stageOf(stage.pair)
    const program = approximated?.program ?? (await this.#program(stage))
    const { outputs } = this.#arrays.of(stage)
    const into = Object.entries(stage.outputs).map(([result, name]) => [result, outputs[name]])
    return { program, bindings: this.#bindings(stage), outputs: Object.fromEntries(into), tree: approximated?.tree }
  }

  async #program(stage: Omit<PlannedStage, 'outputs'>): Promise<Program> {
    const { workload } = stage
    const { shape } = this.#arrays.of(stage)
    const support = this.device.supports(workload, shape)
    if (!support.ok) throw new UnsupportedWorkloadError('simulation', this.device.info.backend, support.reason)
    if (this.device.info.precision === 'f32') requireFloat32(workload, shape, this.#bindings(stage).parameters)
    const program = await this.device.prepare(workload, shape)
    this.#programs.push(program)
    return program
  }

  #bindings(stage: Omit<PlannedStage, 'outputs'>): Bindings {
    const { workload } = stage
    const { shape, targets, sources, lengthUnit } = this.#arrays.of(stage)
    const exclusions = workload.loop === 'pair' ? exclusionsOf(workload, shape) : undefined
    // The parameters of the workload, and the unit of length if it is not the caller's.
    const parameters = { ...parametersOf(workload), ...(lengthUnit === undefined ? {} : { lengthUnit }) }
    return { targets, sources, parameters, ...(exclusions ? { exclusions } : {}) }
  }

  async run(times: number, signal?: AbortSignal): Promise<void> {
    const counts = countingStage(this.#parts).length > 0 && this.device.info.precision === 'f32'
    if (counts && this.steps + times > mostWhole)
      throw new RangeError(
        `"count" expected at most ${mostWhole - this.steps} further steps, because forces read the time and float32 counts up to ${mostWhole} steps; use precision "f64", or a longer dt`,
      )
    this.intact = false
    for (const last = this.steps + times; this.steps < last; ) {
      const next = this.#tolerances ? measuredEvery - (this.steps % measuredEvery) : times
      const now = Math.min(next, last - this.steps)
      await this.#step?.run(now, { signal })
      this.steps += now
      if (this.#tolerances && this.steps % measuredEvery === 0) await this.#measure()
    }
    this.intact = true
  }

  /** An array, or one component of a vector, such as `velocity_x`. */
  async read(name: string): Promise<FloatArray> {
    const { array, axis } = arrayNamed(name, this.state)
    const numbers = await this.buffer(array).read()
    return axis === undefined ? numbers : componentIn(numbers, { vector: array, axis }, this.state.dimension)
  }

  /** Where the numbers of an array are, as long as this lives. */
  buffer(array: string): DeviceBuffer {
    return this.#arrays.points[array] as DeviceBuffer
  }

  /** Replaces an array by that of another state, which is otherwise the current one, and computes the forces. */
  async write(name: string, state: SimulationState): Promise<void> {
    const components = this.#arrays.check(state.arrays)
    this.intact = false
    this.state = state
    await this.#arrays.write(name, state.arrays[name] as FloatArray, components)
    if (this.#tolerances) await this.#measure()
    await this.#evaluate()
    this.intact = true
  }

  /** The potential energy of the current state, counting each pair once. @throws TypeError if a force has none */
  async potential(): Promise<number> {
    const ofPoints = this.#parts.external.map((force) => {
      const text = toText(atTime(potentialOf(force), timeAfter(this.state.dt, 0)))
      return { workload: map({ energy: text }), factor: 1 }
    })
    return this.#total('energy', [...this.#addendsOf(energy), ...ofPoints])
  }

  /** The errors of the forces that may be approximated, measured now. */
  async errors(): Promise<readonly ForceError[]> {
    if (this.#tolerances) await this.#measure()
    return this.#tolerances?.errors ?? []
  }

  /** The sum over pairs of F . (x_i - x_j), counting each pair once. */
  virial(): Promise<number> {
    return this.#total('virial', this.#addendsOf(virial))
  }

  /** What each law gives for each point, or for each end of its bonds. Both points of a pair give it. */
  #addendsOf(quantity: typeof energy | typeof virial): readonly Addend[] {
    const { pairs, bonds } = this.#parts
    const of = ({ law, domain }: PairPart): PairWorkload => quantity(law, domain)
    const { dimension } = this.state
    return [
      ...pairs.map((pair) => ({ workload: of(pair), pair, factor: 0.5 * pair.scale })),
      ...bonds.map((part) => {
        const { workload, vectors } = endMap(of(part), part.bonds, dimension, this.#arrays.vectors)
        const ends = { bonds: part.bonds, visits: 'ends', gathers: 'points', vectors } as const
        return { workload, ends, factor: 0.5 * part.scale }
      }),
    ]
  }

  /** Adds up the numbers that workloads give. */
  async #total(name: string, addends: readonly Addend[]): Promise<number> {
    await this.#splitting?.run(1)
    let total = 0
    for (const [n, { factor, ...stage }] of addends.entries()) {
      const key = `${name} ${n}`
      total += factor * (await this.#addendOf(key, stage))
    }
    return total
  }

  async #addendOf(key: string, stage: Omit<PlannedStage, 'outputs'>): Promise<number> {
    const { workload, pair } = stage
    if (pair?.method && workload.loop === 'pair' && this.#tolerances)
      return added(await this.#tolerances.total(workload, pair, await this.#numbers()))
    return this.#sums.of(key, () => this.#addition(stage))
  }

  async #addition(stage: Omit<PlannedStage, 'outputs'>): Promise<Addition> {
    const program = await this.#program(stage)
    const [result = ''] = stage.workload.results
    return { program, bindings: this.#bindings(stage), result, length: this.#arrays.of(stage).shape.targets }
  }

  /** Sums over points, as `request` describes them. */
  totals(request: TotalRequest): Promise<Totals> {
    const [workload] = request.maps as [MapWorkload]
    const bindings = { ...this.#bindings({ workload }), parameters: {} }
    return this.#sums.totals(request, { shape: this.#arrays.of({ workload }).shape, bindings })
  }

  /** The arrays from which a run continues bit for bit. */
  async save(): Promise<SimulationState> {
    const arrays: Record<string, FloatArray> = { ...this.state.arrays }
    for (const name of new Set([...moving, ...this.#written()]))
      if (this.#arrays.points[name]) arrays[name] = await this.read(name)
    const settings = this.#tolerances && { settings: this.#tolerances.settings }
    return { ...this.state, steps: this.steps, arrays: arrays as PointArrays, ...settings }
  }

  /** The arrays that a step writes. */
  #written(): Set<string> {
    const outputs = this.state.integrator.stages.flatMap((stage) =>
      stage.kind === 'map' ? Object.keys(stage.outputs) : [],
    )
    return new Set([this.#target, ...outputs])
  }

  dispose(): void {
    for (const sequence of [this.#step, this.#evaluation, this.#splitting]) sequence?.dispose()
    this.#sums.dispose()
    for (const program of this.#programs) program.dispose()
    this.#tolerances?.dispose()
    this.#arrays.dispose()
  }
}

function potentialOf(force: ExternalForce): Expr {
  if (force.kind === 'external potential') return energyOfPoint(force)
  throw new TypeError(`"energy" expected a potential, got ${force.name}, which gives a force and has no energy`)
}
