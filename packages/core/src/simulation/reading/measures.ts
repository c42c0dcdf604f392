/**
 * The state of a simulation in a few numbers: energies, momenta, temperature, pressure, drift. Some can also be set.
 *
 * @module
 */

import type { FloatArray } from '../../ground/checks.ts'
import type { ForceError } from '../forces/tolerances.ts'
import type { LiveChanges } from '../stepping/live-changes.ts'
import type { LiveState } from '../stepping/live-state.ts'
import type { Stepper } from '../stepping/stepper.ts'
import { type Written, writtenTo } from '../stepping/written.ts'
import { angularMomentumOf, kineticOf, momentumOf } from './invariants.ts'
import { StraySum } from './stray-sum.ts'
import {
  type PressureOptions,
  type TemperatureOptions,
  temperatureOf,
  volumeOf,
  withoutDrift,
} from './thermodynamics.ts'
import { checkedTotals, type TotalOutputs, type TotalRequest, type Totals } from './total-request.ts'

export interface Energy {
  readonly kinetic: number
  readonly potential: number
  readonly total: number
}

export class Measures {
  readonly #live: LiveState
  readonly #changes: LiveChanges

  constructor(live: LiveState, changes: LiveChanges) {
    this.#changes = changes
    this.#live = live
  }

  async energy(): Promise<Energy> {
    // Points at infinity have no potential, and a total without them would look right.
    await this.#live.requireFiniteArray('position')
    const potential = await this.#ofForces('potential energy', (stepper) => stepper.energies.potential())
    const kinetic = await this.#kinetic()
    return { kinetic, potential, total: kinetic + potential }
  }

  async forceErrors(): Promise<readonly ForceError[]> {
    await this.#live.requireFiniteArray('position')
    return this.#live.on((stepper) => stepper.errors())
  }

  async momentum(): Promise<Float64Array> {
    return Float64Array.from(Object.values(await this.#sums(momentumOf(this.#inertia(), this.#dimension))))
  }

  async angularMomentum(): Promise<Float64Array> {
    // On a line nothing turns.
    if (this.#dimension === 1) return new Float64Array()
    return Float64Array.from(Object.values(await this.#sums(angularMomentumOf(this.#inertia(), this.#dimension))))
  }

  async temperature(options: TemperatureOptions): Promise<number> {
    const { arrays, fixed = [], constraints } = this.#live.described
    const free = arrays.velocity.length - fixed.length * this.#dimension - (constraints?.distances.length ?? 0)
    return temperatureOf(await this.#kinetic(), free, options)
  }

  async pressure(options: PressureOptions): Promise<number> {
    const volume = volumeOf(this.#live.boundary, options)
    const kinetic = await this.#kinetic()
    const virial = await this.#ofForces('virial', (stepper) => stepper.energies.virial())
    return (2 * kinetic + virial) / (this.#dimension * volume)
  }

  /**
   * `2 K + W` of the centres of mass of points that constraints connect, and of all other points: `dimension volume` times the pressure that
   * changes with a box in which these centres move.
   */
  async strain(): Promise<number> {
    const kinetic = await this.#kinetic()
    return 2 * kinetic + (await this.#ofForces('virial', (stepper) => stepper.energies.virialOfCentres()))
  }

  async rescale(temperature: number, options: TemperatureOptions): Promise<void> {
    const now = await this.temperature(options)
    if (now === 0) throw new RangeError('Cannot rescale velocities: no point moves; give the particles a velocity')
    const factor = Math.sqrt(temperature / now)
    const velocity = await this.#live.read('velocity')
    await this.#changes.write(this.#velocities(velocity.map((v) => factor * v)))
  }

  async removeDrift(): Promise<void> {
    const velocity = await this.#live.read('velocity')
    const mass = await this.#live.read(this.#inertia())
    const { fixed = [] } = this.#live.described
    await this.#changes.write(this.#velocities(withoutDrift({ velocity, mass, dimension: this.#dimension }, fixed)))
  }

  async totals(request: TotalRequest): Promise<Totals> {
    try {
      return await this.#live.on((stepper) => stepper.totals(request))
    } catch (error) {
      // Say which numbers of the state are not finite, if any are the reason.
      if (error instanceof RangeError) await this.#live.requireFinite()
      throw error
    }
  }

  /** A sum over forces. @throws RangeError that names the force without a finite value */
  async #ofForces(what: string, sum: (stepper: Stepper) => Promise<number>): Promise<number> {
    try {
      return await this.#live.on(sum)
    } catch (error) {
      if (!(error instanceof StraySum)) throw error
      const why = (await this.#live.why(error)) ?? 'a step of it leaves float32; use other units or precision "f64"'
      throw new RangeError(`Cannot add up the ${what}: that of point ${error.point} is ${error.value}; ${why}`)
    }
  }

  /** Velocities of all points. @throws RangeError unless they are finite */
  #velocities(given: FloatArray): Written {
    return writtenTo(this.#live.described, 'velocity', given, {})
  }

  get #dimension(): number {
    return this.#live.described.dimension
  }

  #inertia(): string {
    const { inertia } = this.#live.parts
    if (inertia === undefined)
      throw new TypeError(
        "Cannot find a momentum or a kinetic energy: no force has an inertia; define one with { inertia: 'mass' }",
      )
    return inertia
  }

  async #kinetic(): Promise<number> {
    const { kinetic } = await this.#sums({ kinetic: kineticOf(this.#inertia(), this.#dimension) })
    return kinetic
  }

  async #sums<Name extends string>(outputs: TotalOutputs<Name>): Promise<Record<Name, number>> {
    return (await this.totals(checkedTotals(outputs, {}))) as Record<Name, number>
  }
}
