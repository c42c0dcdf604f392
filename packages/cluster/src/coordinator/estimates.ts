/**
 * Estimates how long a run of a program takes at home and on the workers. Speeds are measured. The times of earlier runs on the workers
 * correct for the costs that speeds leave out.
 *
 * @module
 */
import type { DeviceKind } from '@manybody/core'
import { transfer } from '../schedule/waits.ts'
import type { Member } from './team.ts'

/** In milliseconds, on the device at home and on the workers. */
export interface Estimate {
  readonly atHome: number
  readonly spread: number
  readonly workers: number
}

/** Milliseconds that any run takes to start calls and return results. */
const spreadTakes = 10

/** Pairs per millisecond of a device that was not measured yet. If the guess is too high, the device is tried once, and then measured. */
const guessed: Readonly<Record<DeviceKind, number>> = { hardware: 1e9, cpu: 1e6, software: 1e6 }

/** Milliseconds, by the guess, of the trial that measures the speed of the device at home. */
const tried = 20

/** In the first runs, workers compile, and their calls have a guessed length. */
const unusualRuns = 2

export class Estimates {
  #homeSpeed: number
  #knowsHome = false
  #spreadRuns = 0
  /** The time of a run on the workers over the estimate. */
  #excess = 1

  constructor(home: DeviceKind) {
    this.#homeSpeed = guessed[home]
  }

  /** Whether the device at home was measured. */
  get knowsHome(): boolean {
    return this.#knowsHome
  }

  /** How many pairs to run in the short trial that measures the device at home. */
  get pairsToTry(): number {
    return tried * this.#homeSpeed
  }

  /** @param bytes that travel @returns undefined without workers */
  of(pairs: number, bytes: number, members: readonly Member[]): Estimate | undefined {
    if (members.length === 0) return undefined
    const together = members.reduce((sum, member) => sum + this.#speedOf(member), 0)
    return {
      atHome: pairs / this.#homeSpeed,
      spread: this.#excess * (spreadTakes + bytes / transfer + pairs / together),
      workers: members.length,
    }
  }

  /** A GPU that was not measured may be as fast as the one at home. */
  #speedOf({ info, speed, measured }: Member): number {
    return measured || info.kind !== 'hardware' ? speed : Math.max(speed, this.#homeSpeed)
  }

  ranAtHome(pairs: number, milliseconds: number): void {
    if (pairs === 0 || milliseconds === 0) return
    this.#homeSpeed = pairs / milliseconds
    this.#knowsHome = true
  }

  ranSpread(estimate: Estimate | undefined, milliseconds: number): void {
    if (!estimate || ++this.#spreadRuns <= unusualRuns) return
    const excess = (this.#excess * milliseconds) / estimate.spread
    this.#excess += (excess - this.#excess) / 2
  }
}

export const describe = ({ atHome, spread, workers }: Estimate): string =>
  `about ${atHome.toPrecision(2)} ms, and ${spread.toPrecision(2)} ms on ${workers} ${workers === 1 ? 'worker' : 'workers'}`
