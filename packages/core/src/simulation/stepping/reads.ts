/**
 * Reads the arrays of a simulation on a device.
 *
 * @module
 */
import type { DeviceBuffer } from '../../contract/backend.ts'
import { numbersAt } from '../../ground/arrays/some-numbers.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { componentIn } from '../../problem/workloads/components.ts'
import { arrayNamed } from '../arrays.ts'
import type { ClockedState } from '../state.ts'
import { givenByForces } from './outcomes.ts'
import type { StepArrays } from './step-arrays.ts'

/** The stepper that has the arrays. */
interface Computing {
  readonly state: ClockedState
  current(): Promise<void>
}

export class Reads {
  readonly #stepper: Computing
  readonly #arrays: StepArrays

  constructor(stepper: Computing, { arrays }: { readonly arrays: StepArrays }) {
    this.#stepper = stepper
    this.#arrays = arrays
  }

  /** An array, or one component of a vector, such as `velocity_x`. It is the array given, if that has the right length, or a new one. */
  async array(name: string, into?: FloatArray): Promise<FloatArray> {
    const { state } = this.#stepper
    const { array, axis } = arrayNamed(name, state)
    if (givenByForces(array, state)) await this.#stepper.current()
    const buffer = this.#arrays.points[array] as DeviceBuffer
    if (axis === undefined) return buffer.read(into?.length === buffer.length ? into : undefined)
    const component = componentIn(await buffer.read(), { vector: array, axis }, state.dimension)
    if (into?.length !== component.length) return component
    into.set(component)
    return into
  }

  /** An array of the points, for some of them alone. */
  async at(name: string, points: Uint32Array): Promise<FloatArray> {
    if (givenByForces(name, this.#stepper.state)) await this.#stepper.current()
    const buffer = this.#arrays.points[name] as DeviceBuffer
    const width = buffer.length / this.#arrays.count
    return buffer.readAt?.(points, width) ?? numbersAt(await buffer.read(), points, width)
  }

  /** Reads an array that needs no forces; false if that would have to wait. */
  atOnce(name: string, into: FloatArray): boolean {
    const buffer = givenByForces(name, this.#stepper.state) ? undefined : this.#arrays.points[name]
    return buffer?.length === into.length && buffer.readAtOnce?.(into) === true
  }

  /** One of the single numbers of the clock. */
  async single(name: string): Promise<number> {
    return (await this.#arrays.single[name]?.read())?.[0] ?? Number.NaN
  }
}
