/**
 * Steps of a simulation that the host computes, with forces of the device. After each, the arrays on the device are the state.
 *
 * @module
 */
import type { ClockedState } from '../state.ts'
import type { ClockState } from '../stepping/clocks/clock-state.ts'
import type { StepArrays } from '../stepping/step-arrays.ts'
import { type HostForces, memoryLength, RadauSteps } from './radau-steps.ts'

export class HostSteps {
  readonly #arrays: StepArrays
  readonly #forces: HostForces
  readonly #epsilon: number
  readonly #first: number
  #steps: RadauSteps | undefined
  #memory: Float64Array | undefined
  #time: readonly [number, number]
  #until: number | undefined

  /** @param evaluate computes the accelerations of the points on the device */
  constructor(
    arrays: StepArrays,
    { dt, clock, predictor }: ClockedState,
    epsilon: number,
    evaluate: () => Promise<void>,
  ) {
    this.#arrays = arrays
    this.#epsilon = epsilon
    this.#first = dt as number
    this.#time = clock.time
    this.#memory = predictor && Float64Array.from(predictor)
    const { position, velocity, acceleration } = arrays.points
    this.#forces = {
      async at(time, rest, places, speeds, into) {
        await position?.write(places)
        await velocity?.write(speeds)
        if (arrays.tellsTime) await arrays.setTime(time, rest)
        await evaluate()
        if (!acceleration?.readAtOnce?.(into)) into.set((await acceleration?.read()) ?? [])
      },
    }
  }

  /** Takes steps. The arrays on the device are the state before, with its accelerations. @throws `signal.reason` when aborted */
  async run(times: number, signal: AbortSignal | undefined): Promise<void> {
    this.#steps ??= await this.#begin()
    const steps = this.#steps
    steps.until = this.#until
    for (let n = 0; n < times; n++) {
      signal?.throwIfAborted()
      await steps.step()
    }
    this.#time = [...steps.time]
  }

  async #begin(): Promise<RadauSteps> {
    const { points, state } = this.#arrays
    const read = async (name: string) => Float64Array.from((await points[name]?.read()) ?? [])
    return new RadauSteps(this.#forces, {
      ...{ dimension: state.dimension, epsilon: this.#epsilon, time: this.#time, memory: this.memory },
      position: await read('position'),
      velocity: await read('velocity'),
      acceleration: await read('acceleration'),
    })
  }

  /** The numbers from which the next steps follow, beside those of the points. */
  get memory(): Float64Array {
    const length = memoryLength(this.#arrays.count * this.#arrays.state.dimension)
    const known = this.#steps?.memory ?? this.#memory
    if (known?.length === length) return known
    const fresh = new Float64Array(length)
    fresh[0] = known?.[0] ?? this.#first
    return fresh
  }

  /** Other numbers have been written to the points or the forces: nothing about the next step is known but its length. */
  forget(): void {
    this.#memory = Float64Array.of(this.memory[0] as number)
    this.#steps = undefined
  }

  clock(steps: number): ClockState {
    return { time: this.#time, steps, dt: this.memory[1] || this.#first }
  }

  /** Lets no step go beyond a time. */
  limit(time: number): void {
    this.#until = time
  }

  /** Sets the time, which differs by rounding from the time reached, and lets steps go on. */
  async land(time: number): Promise<void> {
    this.#time = [time, 0]
    if (this.#steps) [this.#steps.time[0], this.#steps.time[1]] = this.#time
    this.#until = undefined
    await this.#arrays.setTime(time, 0)
  }
}
