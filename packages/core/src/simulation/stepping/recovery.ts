/**
 * The device of a simulation. If it is lost or cannot do some work, another one of the engine goes on.
 *
 * @module
 */
import type { Device, Program } from '../../contract/backend.ts'
import { Refusals } from '../../contract/candidates/refusals.ts'
import type { Precision } from '../../ground/precision.ts'
import type { Shape, Workload } from '../../problem/workloads/workload.ts'

/** A program that stays prepared until `end`, or until `drop`, after which nobody else finds it. */
export interface HeldProgram {
  readonly program: Program
  readonly end: () => void
  readonly drop: () => void
}

/** A device and its programs, which simulations share with each other and with runs. */
export interface SharedPrograms {
  readonly device: Device
  hold(workload: Workload, shape: Shape): Promise<HeldProgram>
}

/** The part of an engine that a simulation uses: a device, and another if that one is lost or cannot run it. */
export interface DeviceSource {
  readonly device: Device
  recovering<T>(
    work: (programs: SharedPrograms) => Promise<T>,
    refusals: Refusals,
  ): Promise<T & { readonly recoveries: readonly string[]; readonly notes: readonly string[] }>
}

export class Recovery {
  readonly #source: DeviceSource
  /** The candidates that cannot run it. */
  readonly #refusals = new Refusals('simulation')
  /** Devices lost so far, in order. */
  recoveries: readonly string[] = []
  /** Why it does not run on the device of the engine. */
  notes: readonly string[] = []
  #disposed = false

  constructor(source: DeviceSource) {
    this.#source = source
  }

  get precision(): Precision {
    return this.#source.device.info.precision
  }

  /** Whether work would begin on this device. */
  isOn(device: Device | undefined): boolean {
    return device === this.#source.device && this.#refusals.size === 0 && !this.#disposed
  }

  /** Works on a device, and on the next one if it is lost. */
  async on<T>(work: (programs: SharedPrograms) => Promise<T>): Promise<T> {
    const { recoveries, notes, value } = await this.#source.recovering(async (programs) => {
      if (this.#disposed) throw new Error('Cannot continue: the simulation was disposed; resume a snapshot of it')
      return { value: await work(programs) }
    }, this.#refusals)
    if (recoveries.length > 0) this.recoveries = [...this.recoveries, ...recoveries]
    this.notes = notes
    return value
  }

  /** Keeps the simulation on its device, even if that device cannot do some later work. @param why for messages */
  stay(why: string): void {
    this.#refusals.stays = why
  }

  dispose(): void {
    this.#disposed = true
  }
}
