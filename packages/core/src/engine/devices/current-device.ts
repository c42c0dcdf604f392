/**
 * The device of an engine, with its programs. When it is lost, another one replaces it and the work is repeated.
 *
 * @module
 */
import type { Device, LossReason } from '../../backend.ts'
import { DeviceLostError } from '../../errors.ts'
import { Programs } from '../programs.ts'
import { type DeviceChoice, type Opened, open } from './open.ts'

export class CurrentDevice {
  readonly #options: DeviceChoice
  readonly #losses = new Map<string, LossReason[]>()
  #chosen: Opened
  #programs: Programs
  #replacing: Promise<void> | undefined
  /** Why the device was lost, until another has replaced it. */
  #lost: DeviceLostError | undefined
  #disposed = false

  constructor(options: DeviceChoice, chosen: Opened) {
    this.#options = options
    this.#chosen = chosen
    this.#programs = new Programs(chosen.device)
  }

  /** The device in use, how it was chosen, and perhaps another device for short calls. */
  get chosen(): Opened {
    return this.#chosen
  }

  get device(): Device {
    return this.#chosen.device
  }

  get programs(): Programs {
    return this.#programs
  }

  /** @throws Error after `dispose` */
  refuseIfDisposed(): void {
    if (this.#disposed) throw new Error('Cannot run: the engine was disposed; create a new one')
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    this.#programs.dispose()
    this.#release()
  }

  /** Does some work. If the device is lost meanwhile, opens another and repeats the work. */
  async recovering<T>(work: (device: Device) => Promise<T>): Promise<T & { readonly recoveries: readonly string[] }> {
    const recoveries: string[] = []
    for (;;) {
      this.refuseIfDisposed()
      // An earlier attempt to replace it may have failed.
      if (this.#lost) await this.#replace(this.device, this.#lost)
      const device = this.device
      try {
        return { recoveries, ...(await work(device)) }
      } catch (error) {
        if (!(error instanceof DeviceLostError)) throw error
        this.refuseIfDisposed()
        if (recoveries.length > this.#options.backends.length) throw error
        recoveries.push(`${error.backend}: ${error.loss.reason}`)
        await this.#replace(device, error)
      }
    }
  }

  /** Replaces each lost device once, however many runs used it. */
  async #replace(lost: Device, error: DeviceLostError): Promise<void> {
    if (this.device !== lost) return
    this.#replacing ??= this.#openAnother(lost, error).finally(() => {
      this.#replacing = undefined
    })
    await this.#replacing
  }

  async #openAnother(lost: Device, error: DeviceLostError): Promise<void> {
    if (!this.#lost) {
      this.#lost = error
      lost.dispose()
      this.#losses.set(error.backend, [...(this.#losses.get(error.backend) ?? []), error.loss])
    }
    this.#chosen.crossover?.dispose()
    this.#chosen = await open(this.#options, this.#losses)
    this.#lost = undefined
    this.#programs = new Programs(this.device)
    if (this.#disposed) this.#release()
  }

  #release(): void {
    this.#chosen.crossover?.dispose()
    this.device.dispose()
  }
}
