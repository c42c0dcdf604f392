/**
 * The energy and the virials of the forces on a device, with those of constraints.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { workNames } from '../forces/work-names.ts'
import type { DeviceTotals } from '../reading/device-totals.ts'
import { checkedTotals } from '../reading/total-request.ts'
import type { ClockedState } from '../state.ts'
import type { StepArrays } from './step-arrays.ts'
import type { StepPlan } from './step-plan.ts'
import type { StepSequences } from './step-sequences.ts'

/** The stepper that has the forces. */
interface Computing {
  readonly state: ClockedState
  readonly deviceTotals: DeviceTotals
  current(): Promise<void>
  split(): Promise<DeviceTotals>
}

interface Parts {
  readonly arrays: StepArrays
  readonly sequences: StepSequences
  readonly plan: StepPlan
}

export class Energies {
  readonly #stepper: Computing
  readonly #arrays: StepArrays
  readonly #sequences: StepSequences
  readonly #plan: StepPlan

  constructor(stepper: Computing, { arrays, sequences, plan }: Parts) {
    this.#stepper = stepper
    this.#arrays = arrays
    this.#sequences = sequences
    this.#plan = plan
  }

  /** The potential energy of the current state, counting each pair once. @throws TypeError if a force has none */
  async potential(): Promise<number> {
    return (await this.#stepper.split()).potential(this.#plan.clock.at(0))
  }

  /** The sum over pairs of F . (x_i - x_j), counting each pair once. */
  async virial(): Promise<number> {
    const { constraints } = this.#arrays
    if (!constraints) return (await this.#stepper.split()).virial()
    await this.#stepper.current()
    await this.#sequences.hold('virial')
    return (await (await this.#stepper.split()).virial()) + (await constraints.virial())
  }

  /** The virial of forces between centres of mass of clusters, and other points, less twice the kinetic energy of motion about these centres. */
  async virialOfCentres(): Promise<number> {
    await this.#stepper.current()
    const virial = await (await this.#stepper.split()).virial()
    const { constraints, parts } = this.#arrays
    if (!constraints) return virial
    const own = axesOf(this.#stepper.state.dimension)
    const within = async (part: 'places' | 'speeds', by: string) => {
      await this.#sequences.hold(part)
      const sum = own.map((axis) => `${workNames.shift}_${axis}*${by}_${axis}`).join(' + ')
      const { inner } = await this.#stepper.deviceTotals.of(checkedTotals({ inner: `${parts.inertia}*(${sum})` }, {}))
      return inner as number
    }
    return virial - (await within('places', 'acceleration')) - (await within('speeds', workNames.shift))
  }
}
