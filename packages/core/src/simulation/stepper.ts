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
import { bind } from '../workloads/bind.ts'
import { exclusionsOf } from '../workloads/exclusions.ts'
import { deviceNumbers } from '../workloads/numbers/device-numbers.ts'
import { requireFloat32 } from '../workloads/numbers/number-range.ts'
import { accelerations, energy } from '../workloads/pair.ts'
import { parametersOf } from '../workloads/parameters.ts'
import { map } from '../workloads/particle.ts'
import type { Shape, Workload } from '../workloads/workload.ts'
import { requireNearOrigin } from './origin.ts'
import { moving, type SimulationState, vectorsOf } from './state.ts'

export class Stepper {
  /** The number of steps that the arrays on the device have taken. */
  steps: number
  /** Whether the arrays are the state after that number of steps. False if a run was interrupted. */
  intact = true

  private constructor(
    readonly device: Device,
    readonly state: SimulationState,
    readonly shape: Shape,
    readonly buffers: Readonly<Record<string, DeviceBuffer>>,
    readonly programs: Program[],
    readonly lengthUnit: number | undefined,
  ) {
    this.steps = state.steps
  }

  #step: Sequence | undefined
  #potential: Promise<Program> | undefined

  static async create(device: Device, state: SimulationState): Promise<Stepper> {
    const {
      position,
      velocity,
      acceleration = new Float64Array(position.length),
      previous = acceleration,
    } = state.arrays
    const moved: Record<string, FloatArray> = { position, velocity, acceleration, previous }
    if (device.info.precision === 'f32') requireNearOrigin(position, state.dimension)
    const pull = accelerations(state.law, state.domain)
    const bound = bind(pull, { ...state.arrays, dimension: state.dimension })
    // The state is kept in float32, so the extra digits of float64 positions are lost: do not split them.
    const { shape: found, bindings } = deviceNumbers(bound, device.info.precision)
    const { split: _, ...shape } = found
    const buffers: Record<string, DeviceBuffer> = {}
    for (const [name, array] of Object.entries({ ...state.arrays, ...moved })) {
      const buffer = await device.buffer(array.length)
      await buffer.write(array)
      buffers[name] = buffer
    }
    const { lengthUnit } = bindings.parameters
    const stepper = new Stepper(device, state, { ...shape, vectors: vectorsOf(state) }, buffers, [], lengthUnit)
    await stepper.#prepare(state.arrays.acceleration === undefined)
    return stepper
  }

  async #prepare(atRest: boolean): Promise<void> {
    const { law, domain, integrator, dt } = this.state
    const pull = accelerations(law, domain)
    const force = await this.#stage(pull, ['acceleration'])
    const stages = await Promise.all(
      integrator.stages.map((stage) =>
        stage.kind === 'force'
          ? force
          : this.#stage(map(stage.outputs, { h: stage.fraction * dt }), Object.keys(stage.outputs)),
      ),
    )
    if (atRest) {
      const first = await this.device.sequence([force])
      await first.run(1)
      first.dispose()
    }
    this.#step = await this.device.sequence(stages)
  }

  async #stage(workload: Workload, outputs: readonly string[]): Promise<Stage> {
    const program = await this.#program(workload)
    const into = Object.fromEntries(outputs.map((name) => [name, this.#buffer(name)]))
    return { program, bindings: this.#bindings(workload), outputs: into }
  }

  async #program(workload: Workload): Promise<Program> {
    const support = this.device.supports(workload, this.shape)
    if (!support.ok) throw new UnsupportedWorkloadError('simulation', this.device.info.backend, support.reason)
    if (this.device.info.precision === 'f32') requireFloat32(workload, this.shape, this.#parameters(workload))
    const program = await this.device.prepare(workload, this.shape)
    this.programs.push(program)
    return program
  }

  #bindings(workload: Workload): Bindings {
    const set = { count: this.shape.targets, arrays: this.buffers }
    const exclusions = workload.loop === 'pair' ? exclusionsOf(workload, this.shape) : undefined
    return { targets: set, sources: set, parameters: this.#parameters(workload), ...(exclusions ? { exclusions } : {}) }
  }

  /** The parameters of the workload, and the unit of length if it is not the caller's. */
  #parameters(workload: Workload): Bindings['parameters'] {
    return { ...parametersOf(workload), ...(this.lengthUnit === undefined ? {} : { lengthUnit: this.lengthUnit }) }
  }

  #buffer(name: string): DeviceBuffer {
    const buffer = this.buffers[name]
    if (!buffer)
      throw new TypeError(`"name" expected one of ${Object.keys(this.buffers).join(', ')}, got ${describe(name)}`)
    return buffer
  }

  async run(times: number, signal?: AbortSignal): Promise<void> {
    this.intact = false
    await this.#step?.run(times, { signal })
    this.steps += times
    this.intact = true
  }

  read(name: string): Promise<FloatArray> {
    return this.#buffer(name).read()
  }

  /** The potential energy of the current state, counting each pair once. */
  async potential(): Promise<number> {
    const workload = energy(this.state.law, this.state.domain)
    this.#potential ??= this.#program(workload)
    const { energy: perTarget = [] } = await (await this.#potential).run(this.#bindings(workload))
    return 0.5 * [...perTarget].reduce((total, u) => total + u, 0)
  }

  /** The arrays from which a run continues bit for bit. */
  async save(): Promise<SimulationState> {
    const arrays: Record<string, FloatArray> = { ...this.state.arrays }
    for (const name of this.#changing()) arrays[name] = await this.read(name)
    return { ...this.state, steps: this.steps, arrays: arrays as SimulationState['arrays'] }
  }

  /** The arrays that a step writes. */
  #changing(): Set<string> {
    const written = this.state.integrator.stages.flatMap((stage) =>
      stage.kind === 'map' ? Object.keys(stage.outputs) : [],
    )
    return new Set([...moving, ...written])
  }

  dispose(): void {
    this.#step?.dispose()
    for (const program of this.programs) program.dispose()
    for (const buffer of Object.values(this.buffers)) buffer.dispose()
  }
}
