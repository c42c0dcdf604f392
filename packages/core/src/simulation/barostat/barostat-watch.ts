/**
 * Keeps the pressure of a running simulation: between steps, it finds the pressure on the device, and scales the box with its points.
 *
 * @module
 */
import { halfOf } from '../../problem/loaded-at-once.ts'
import { boundaryNow, scaledBox } from '../numbers/box.ts'
import { cellsNow } from '../numbers/cutoffs.ts'
import { withNumbers } from '../numbers/description.ts'
import { type NumbersByName, ofBarostat, ofIntegrator, type SimulationNumbers } from '../numbers/numbers.ts'
import type { Measures } from '../reading/measures.ts'
import { contentOf } from '../reading/thermodynamics.ts'
import { restored } from '../snapshot.ts'
import type { LiveState } from '../stepping/live-state.ts'
import type { BetweenSteps } from '../stepping/walks.ts'
import type { Barostat } from './barostat.ts'
import { nextVolume, normalAt } from './cell-rescaling.ts'

/** The volume may become so many times larger or smaller at once. */
const most = 2

export class BarostatWatch implements BetweenSteps {
  readonly #live: LiveState
  readonly #measures: Measures

  constructor(live: LiveState, measures: Measures) {
    this.#live = live
    this.#measures = measures
  }

  get #options(): Barostat {
    return this.#live.described.barostat as Barostat
  }

  after(steps: number): number {
    const { every } = this.#options
    return (Math.floor(steps / every) + 1) * every
  }

  /** Scales the box. @throws RangeError for a pressure that would change the volume too much at once, and for a box that the simulation cannot have */
  async look(): Promise<void> {
    const { boundary, steps, clock, described, numbers } = this.#live
    const { dimension } = described
    const { seed, every, time, compressibility } = this.#options
    const { [ofBarostat]: kept, [ofIntegrator]: heated } = numbers.parameters
    const { pressure } = kept as { pressure: number }
    const { temperature, boltzmann = 1 } = heated as NumbersByName
    const volume = contentOf(boundary)
    const now = (await this.#measures.strain()) / (dimension * volume)
    const gap = {
      excess: now - pressure,
      heat: boltzmann * (temperature as number),
      rate: (compressibility * every * clock.dt) / time,
    }
    const next = nextVolume(volume, gap, normalAt(seed, steps))
    if (!(next < most * volume && volume < most * next))
      throw new RangeError(
        `Cannot keep the pressure: it is ${now.toPrecision(3)} after ${steps} steps, and the volume would change from ${volume.toPrecision(3)} to ${next.toPrecision(3)} at once; minimize first, or give the barostat a longer time, a smaller compressibility or fewer steps between`,
      )
    const factor = (next / volume) ** (1 / dimension)
    const scaled = scaledBox(numbers, factor)
    this.#requireRoom(scaled)
    const { parts } = this.#live
    const others = cellsNow(parts, numbers) !== cellsNow(parts, scaled)
    // With other images, the simulation is made again. It may not be possible.
    if (others) restored({ ...withNumbers(described, scaled), checksum: undefined })
    await this.#live.scale(factor)
    if (others) await this.#live.replace((state) => state)
  }

  /** @throws RangeError if the box would be too small for a constraint */
  #requireRoom(numbers: SimulationNumbers): void {
    const { described, steps } = this.#live
    const { distances = [], boundary } = described.constraints ?? {}
    const half = boundary ? halfOf(boundaryNow(boundary, numbers)) : Number.POSITIVE_INFINITY
    const long = distances.find(([, , length]) => length >= half)
    if (long)
      throw new RangeError(
        `"constraints.distances" expected less than half of the box, ${half}, after ${steps} steps with a barostat, got ${long[2]} between points ${long[0]} and ${long[1]}; use more molecules, or a higher pressure`,
      )
  }
}
