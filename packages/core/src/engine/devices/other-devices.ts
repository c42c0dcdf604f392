/**
 * The devices of other candidates, for work that the engine's device cannot run. Each is opened and proven when a workload first
 * needs it, and kept as long as the engine.
 *
 * @module
 */
import { Programs } from '../programs.ts'
import { choose, type Losses } from './candidates.ts'
import type { DeviceChoice } from './open.ts'

export class OtherDevices {
  readonly #options: DeviceChoice
  readonly #losses: Losses
  readonly #opening = new Map<string, Promise<Programs>>()
  readonly #open = new Map<string, Programs>()
  #disposed = false

  /** @param losses devices lost so far, which may grow */
  constructor(options: DeviceChoice, losses: Losses) {
    this.#options = options
    this.#losses = losses
  }

  /** The programs of a candidate, which is opened once. @throws {@link BackendUnavailableError} */
  async of(backend: string): Promise<Programs> {
    const open = this.#open.get(backend)
    if (open) return open
    const opening = this.#opening.get(backend) ?? this.#opened(backend).finally(() => this.#opening.delete(backend))
    this.#opening.set(backend, opening)
    return opening
  }

  async #opened(backend: string): Promise<Programs> {
    // Options that the engine's device had to meet hold for this one, too.
    const { device } = await choose(this.#options.backends, { ...this.#options, backend }, this.#losses)
    if (this.#disposed) device.dispose()
    const programs = new Programs(device)
    this.#open.set(backend, programs)
    return programs
  }

  /** Disposes of a lost device, so that its backend is opened again. False if it is known to be lost. */
  drop(lost: Programs): boolean {
    const { backend } = lost.device.info
    if (this.#open.get(backend) !== lost) return false
    this.#open.delete(backend)
    lost.dispose()
    lost.device.dispose()
    return true
  }

  /** Removes a prepared program. */
  forget(key: string): void {
    for (const programs of this.#open.values()) programs.forget(key)
  }

  dispose(): void {
    this.#disposed = true
    for (const programs of [...this.#open.values()]) this.drop(programs)
  }
}
