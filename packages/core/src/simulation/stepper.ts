/**
 * The state of a simulation on one device: arrays, programs, and the sequence of one step.
 *
 * It lives as long as its device. When the device is lost, the simulation makes another from host data.
 *
 * @module
 */
import type { Bindings, Device, DeviceBuffer, Program, Sequence, Stage } from '../backend.ts'
import { describe, type FloatArray } from '../checks.ts'
import { UnsupportedWorkloadError } from '../errors.ts'
import { toText } from '../expression/infix.ts'
import type { Expr } from '../expression/nodes.ts'
import { bind } from '../workloads/bind.ts'
import { exclusionsOf } from '../workloads/exclusions.ts'
import { deviceNumbers } from '../workloads/numbers/device-numbers.ts'
import { requireFloat32 } from '../workloads/numbers/number-range.ts'
import { energy, virial } from '../workloads/pair.ts'
import { parametersOf } from '../workloads/parameters.ts'
import { map } from '../workloads/particle.ts'
import type { PairWorkload, Shape, Workload } from '../workloads/workload.ts'
import { moving, type PointArrays, vectorsOf } from './arrays.ts'
import { type ComponentOf, componentIn, componentsRead } from './forces/components.ts'
import { atTime, type ExternalForce, energyOfPoint } from './forces/external-force.ts'
import type { ForceParts, PairPart } from './forces/force.ts'
import {
  componentStages,
  countingStage,
  forceStages,
  isPairs,
  type PlannedStage,
  timeAfter,
  workNames,
} from './forces/force-stages.ts'
import { requireNearOrigin } from './origin.ts'
import { forcesIn, type SimulationState } from './state.ts'

/** Of a part of the force: the shape of its programs, and the unit of length if it is not the caller's. */
interface PairShape {
  readonly shape: Shape
  readonly lengthUnit: number | undefined
}

type Buffers = Readonly<Record<string, DeviceBuffer>>

export class Stepper {
  /** The number of steps that the arrays on the device have taken. */
  steps: number
  /** Whether the arrays are the state after that number of steps. False if a run was interrupted. */
  intact = true

  readonly #parts: ForceParts
  readonly #components: ReadonlyMap<string, ComponentOf>
  readonly #shapes = new Map<PairPart, PairShape>()
  /** The arrays of the points, which callers read. */
  readonly #buffers: Record<string, DeviceBuffer> = {}
  /** Arrays that only stages read: maps read `work`, sums over pairs read `components`, too. */
  readonly #work: Record<string, DeviceBuffer> = {}
  readonly #componentBuffers: Record<string, DeviceBuffer> = {}
  readonly #programs: Program[] = []
  readonly #counts: boolean
  readonly #stages = new Map<PairPart | string, Promise<Stage>>()
  readonly #totals = new Map<string, Promise<Program>>()
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
    this.#counts = countingStage(this.#parts).length > 0
    const { arrays, dimension } = state
    this.#components = new Map(
      this.#parts.pairs.flatMap(({ workload }) => [...componentsRead(workload, arrays, dimension)]),
    )
  }

  static async create(device: Device, state: SimulationState): Promise<Stepper> {
    const stepper = new Stepper(device, state)
    try {
      await stepper.#allocate()
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

  async #allocate(): Promise<void> {
    const { arrays, dimension, integrator, fixed = [] } = this.state
    const { position, velocity, acceleration = new Float64Array(position.length), previous = acceleration } = arrays
    const components = this.#shape(arrays)
    const count = position.length / dimension
    const vector = () => new Float32Array(position.length)
    const mobile = new Float32Array(count).fill(1)
    for (const point of fixed) mobile[point] = 0
    const further = Object.keys(this.#parts.pairs).slice(1)
    await this.#fill(this.#buffers, { ...arrays, position, velocity, acceleration, previous })
    await this.#fill(this.#componentBuffers, components)
    await this.#fill(this.#work, {
      ...Object.fromEntries(further.map((n) => [workNames.pull(Number(n)), vector()])),
      ...Object.fromEntries((integrator.scratch ?? []).map((name) => [name, vector()])),
      ...(fixed.length > 0 && { [workNames.mobile]: mobile }),
      ...(this.#counts && { [workNames.step]: new Float64Array(count).fill(this.steps) }),
    })
  }

  async #fill(buffers: Record<string, DeviceBuffer>, arrays: Readonly<Record<string, FloatArray>>): Promise<void> {
    for (const [name, array] of Object.entries(arrays)) {
      const buffer = await this.device.buffer(array.length)
      buffers[name] = buffer
      await buffer.write(array)
    }
  }

  /** Finds the shapes of all sums over pairs, and checks the numbers. Returns the components that laws read. */
  #shape(arrays: PointArrays): Readonly<Record<string, FloatArray>> {
    const { dimension } = this.state
    if (this.device.info.precision === 'f32') requireNearOrigin(arrays.position, dimension)
    const components = Object.fromEntries(
      [...this.#components].map(([name, of]) => [name, componentIn(arrays[of.vector] as FloatArray, of, dimension)]),
    )
    for (const part of this.#parts.pairs) {
      const shape = this.#shapeOf(part.workload, { ...arrays, ...components })
      // Programs are made for the first shape. Later ones differ only in the unit of length, which any points may have.
      if (!this.#shapes.has(part)) this.#shapes.set(part, shape)
    }
    return components
  }

  #shapeOf(workload: PairWorkload, arrays: Readonly<Record<string, FloatArray>>): PairShape {
    const bound = bind(workload, { ...arrays, dimension: this.state.dimension })
    // The state is kept in float32, so the extra digits of float64 positions are lost: do not split them.
    const { shape: found, bindings } = deviceNumbers(bound, this.device.info.precision)
    const { split: _, ...shape } = found
    return { shape, lengthUnit: bindings.parameters.lengthUnit }
  }

  /** Every map sees all vectors, also those of the simulation alone. */
  get #vectors(): readonly string[] {
    const { scratch = [] } = this.state.integrator
    const pulls = Object.keys(this.#work).filter((name) => name.startsWith(workNames.pull(0).slice(0, -1)))
    return [...vectorsOf(this.state.arrays), ...scratch, ...pulls]
  }

  async #prepare(): Promise<void> {
    const { integrator, dt } = this.state
    const written = this.#written()
    const moved = new Map([...this.#components].filter(([, { vector }]) => written.has(vector)))
    const planned = integrator.stages.flatMap((stage): readonly PlannedStage[] => {
      if (stage.kind === 'force') return [...componentStages(moved), ...this.#evaluationAt(stage.at ?? 1)]
      const workload = map(stage.outputs, { h: stage.fraction * dt })
      return [{ workload, outputs: Object.fromEntries(Object.keys(stage.outputs).map((name) => [name, name])) }]
    })
    const step = await this.#sequence([...planned, ...countingStage(this.#parts)])
    const splitting = componentStages(this.#components)
    if (splitting.length > 0) this.#splitting = await this.#sequence(splitting)
    if (this.#target === 'velocity' || this.state.arrays.acceleration === undefined) await this.#evaluate()
    this.#step = step
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
    const key = stage.pair ?? JSON.stringify([stage.workload, stage.outputs])
    const made = this.#stages.get(key) ?? this.#stage(stage)
    this.#stages.set(key, made)
    return made
  }

  #evaluationAt(at: number): readonly PlannedStage[] {
    const { dimension, dt, fixed = [] } = this.state
    const options = { dimension, dt, at, target: this.#target, vectors: this.#vectors, fixed: fixed.length > 0 }
    return forceStages(this.#parts, options)
  }

  async #stage({ workload, outputs, pair }: PlannedStage): Promise<Stage> {
    const program = await this.#program(workload, pair)
    const into = Object.fromEntries(Object.entries(outputs).map(([result, name]) => [result, this.#array(name)]))
    return { program, bindings: this.#bindings(workload, pair), outputs: into }
  }

  #shapeFor(pair: PairPart | undefined): Shape {
    const vectors = this.#vectors
    const { position } = this.state.arrays
    const { dimension } = this.state
    const count = position.length / dimension
    const own = pair && this.#shapes.get(pair)?.shape
    return own ? { ...own, vectors } : { dimension, targets: count, sources: count, sameSet: true, vectors }
  }

  async #program(workload: Workload, pair?: PairPart): Promise<Program> {
    const shape = this.#shapeFor(pair)
    const support = this.device.supports(workload, shape)
    if (!support.ok) throw new UnsupportedWorkloadError('simulation', this.device.info.backend, support.reason)
    if (this.device.info.precision === 'f32') requireFloat32(workload, shape, this.#parameters(workload, pair))
    const program = await this.device.prepare(workload, shape)
    this.#programs.push(program)
    return program
  }

  #bindings(workload: Workload, pair?: PairPart): Bindings {
    const shape = this.#shapeFor(pair)
    const arrays: Buffers = { ...this.#buffers, ...(isPairs(workload) ? this.#componentBuffers : this.#work) }
    const set = { count: shape.targets, arrays }
    const exclusions = isPairs(workload) ? exclusionsOf(workload, shape) : undefined
    const parameters = this.#parameters(workload, pair)
    return { targets: set, sources: set, parameters, ...(exclusions ? { exclusions } : {}) }
  }

  /** The parameters of the workload, and the unit of length if it is not the caller's. */
  #parameters(workload: Workload, pair: PairPart | undefined): Bindings['parameters'] {
    const lengthUnit = pair && this.#shapes.get(pair)?.lengthUnit
    return { ...parametersOf(workload), ...(lengthUnit === undefined ? {} : { lengthUnit }) }
  }

  #array(name: string): DeviceBuffer {
    return (this.#work[name] ?? this.#componentBuffers[name] ?? this.#buffers[name]) as DeviceBuffer
  }

  async run(times: number, signal?: AbortSignal): Promise<void> {
    if (this.#counts && this.device.info.precision === 'f32' && this.steps + times > mostSteps)
      throw new RangeError(
        `"count" expected at most ${mostSteps - this.steps} further steps, because forces read the time and float32 counts up to ${mostSteps} steps; use precision "f64", or resume with a longer dt`,
      )
    this.intact = false
    await this.#step?.run(times, { signal })
    this.steps += times
    this.intact = true
  }

  /** An array, or one component of a vector, such as `velocity_x`. */
  async read(name: string): Promise<FloatArray> {
    const buffer = this.#buffers[name]
    if (buffer) return buffer.read()
    const [, vector = '', letter = ''] = (typeof name === 'string' && /^(.+)_([xyz])$/.exec(name)) || []
    const axis = 'xyz'.indexOf(letter || '-')
    const { dimension, arrays } = this.state
    if (axis >= 0 && axis < dimension && vectorsOf(arrays).includes(vector))
      return componentIn(await this.read(vector), { vector, axis }, dimension)
    throw new TypeError(`"name" expected one of ${Object.keys(this.#buffers).join(', ')}, got ${describe(name)}`)
  }

  /** Replaces an array by that of another state, which is otherwise the current one, and computes the forces. */
  async write(name: string, state: SimulationState): Promise<void> {
    const { arrays } = state
    const components = this.#shape(arrays)
    this.intact = false
    this.state = state
    await this.#buffers[name]?.write(arrays[name] as FloatArray)
    for (const [component, array] of Object.entries(components)) await this.#componentBuffers[component]?.write(array)
    await this.#evaluate()
    this.intact = true
  }

  /** The potential energy of the current state, counting each pair once. @throws TypeError if a force has none */
  async potential(): Promise<number> {
    const { pairs, external } = this.#parts
    const ofPairs = pairs.map((part) => energy(part.law, part.domain))
    const ofPoints = external.map((force) =>
      map({ energy: toText(atTime(potentialOf(force), timeAfter(this.state.dt, 0))) }),
    )
    let total = 0
    for (const [n, part] of pairs.entries())
      total += 0.5 * part.scale * (await this.#total(`pairs ${n}`, ofPairs[n] as Workload, part))
    for (const [n, workload] of ofPoints.entries()) total += await this.#total(`external ${n}`, workload)
    return total
  }

  /** The sum over pairs of F . (x_i - x_j), counting each pair once. */
  async virial(): Promise<number> {
    const workloads = this.#parts.pairs.map((part) => virial(part.law, part.domain))
    let total = 0
    for (const [n, part] of this.#parts.pairs.entries())
      total += 0.5 * part.scale * (await this.#total(`virial ${n}`, workloads[n] as Workload, part))
    return total
  }

  /** Adds up, in float64, the numbers that a workload gives for each point. */
  async #total(key: string, workload: Workload, pair?: PairPart): Promise<number> {
    await this.#splitting?.run(1)
    const program = this.#totals.get(key) ?? this.#program(workload, pair)
    this.#totals.set(key, program)
    const [numbers = []] = Object.values(await (await program).run(this.#bindings(workload, pair)))
    let total = 0
    for (const x of numbers) total += x
    return total
  }

  /** The arrays from which a run continues bit for bit. */
  async save(): Promise<SimulationState> {
    const arrays: Record<string, FloatArray> = { ...this.state.arrays }
    for (const name of new Set([...moving, ...this.#written()]))
      if (this.#buffers[name]) arrays[name] = await this.read(name)
    return { ...this.state, steps: this.steps, arrays: arrays as PointArrays }
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
    for (const program of this.#programs) program.dispose()
    for (const buffers of [this.#buffers, this.#work, this.#componentBuffers])
      for (const buffer of Object.values(buffers)) buffer.dispose()
  }
}

function potentialOf(force: ExternalForce): Expr {
  if (force.kind === 'external potential') return energyOfPoint(force)
  throw new TypeError(`"energy" expected a potential, got ${force.name}, which gives a force and has no energy`)
}

/** Float32 counts whole numbers up to here. */
const mostSteps = 2 ** 24
