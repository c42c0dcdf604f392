/**
 * The device of an engine, with its programs. Work that it cannot do goes to the next candidate. When it is lost, another one
 * replaces it and the work is repeated.
 *
 * @module
 */
import type { Device, LossReason, Plan } from '../../contract/backend.ts'
import { isRefusal, Refusals } from '../../contract/candidates/refusals.ts'
import { DeviceLostError } from '../../ground/errors.ts'
import type { Shape, Workload } from '../../problem/workloads/workload.ts'
import { programKey } from '../program-key.ts'
import { Programs } from '../programs.ts'
import { type DeviceChoice, type Opened, open } from './open.ts'
import { OtherDevices } from './other-devices.ts'

/** Incidents while the work ran. */
export interface Happened {
  /** Devices lost meanwhile, in order. */
  readonly recoveries: readonly string[]
  /** Why other candidates could not do it. */
  readonly notes: readonly string[]
}

/** A workload as it is prepared. */
export interface Wanted {
  readonly workload: Workload
  readonly shape: Shape
  readonly plan?: Plan | undefined
}

/** The most workloads whose refusals are remembered. */
const most = 256

export class CurrentDevice {
  readonly #options: DeviceChoice
  readonly #losses = new Map<string, LossReason[]>()
  readonly #others: OtherDevices
  /** Why candidates cannot run a workload, by its structure. */
  readonly #refused = new Map<string, Refusals>()
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
    this.#others = new OtherDevices(options, this.#losses)
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
    this.#others.dispose()
    this.#release()
  }

  /** Removes a prepared program from every device. */
  forget({ workload, shape, plan }: Wanted): void {
    const key = programKey(workload, shape, plan)
    this.#programs.forget(key)
    this.#others.forget(key)
  }

  /** Does some work with the programs of the first candidate that can run a workload. */
  async running<T>(wanted: Wanted, work: (programs: Programs) => Promise<T>): Promise<T & Happened> {
    // A plan names a loop of one backend.
    if (wanted.plan) return this.recovering(work)
    const key = () => programKey(wanted.workload, wanted.shape)
    const known = this.#refused.size > 0 ? this.#refused.get(key()) : undefined
    const refusals = known ?? new Refusals('workload')
    const done = await this.recovering(work, refusals)
    if (!known && refusals.size > 0) {
      this.#refused.set(key(), refusals)
      const [oldest] = this.#refused.keys()
      if (this.#refused.size > most && oldest !== undefined) this.#refused.delete(oldest)
    }
    return done
  }

  /**
   * Does some work. If the device cannot do it, the next candidate does. If the device is lost meanwhile, opens another and repeats
   * the work.
   *
   * @param refusals which candidates are known not to do it. Without them, only the engine's device is asked.
   */
  async recovering<T>(work: (programs: Programs) => Promise<T>, refusals?: Refusals): Promise<T & Happened> {
    const recoveries: string[] = []
    for (;;) {
      this.refuseIfDisposed()
      // An earlier attempt to replace it may have failed.
      if (this.#lost) await this.#replace(this.device, this.#lost)
      const programs = refusals?.size ? await this.#withoutRefusal(refusals) : this.#programs
      this.refuseIfDisposed()
      const { device } = programs
      try {
        const done = await work(programs)
        return { recoveries, notes: refusals?.notes(device.info.backend) ?? [], ...done }
      } catch (error) {
        if (refusals && isRefusal(error)) {
          refusals.add(device.info.backend, error)
          continue
        }
        if (!(error instanceof DeviceLostError)) throw error
        this.refuseIfDisposed()
        if (recoveries.length > this.#options.backends.length) throw error
        recoveries.push(`${error.backend}: ${error.loss.reason}`)
        if (this.#others.drop(programs)) this.#noteLoss(error)
        else await this.#replace(device, error)
      }
    }
  }

  /** The programs of the first candidate that has not refused. @throws UnsupportedWorkloadError if none is left */
  async #withoutRefusal(refusals: Refusals): Promise<Programs> {
    const own = this.device.info.backend
    for (const name of [own, ...this.#chosen.others]) {
      if (refusals.has(name)) continue
      if (name === own) return this.#programs
      try {
        return await this.#others.of(name)
      } catch (error) {
        refusals.add(name, error as Error)
      }
    }
    throw refusals.takeError()
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
      this.#noteLoss(error)
    }
    this.#chosen.crossover?.dispose()
    this.#chosen = await open(this.#options, this.#losses)
    this.#lost = undefined
    this.#programs = new Programs(this.device)
    if (this.#disposed) this.#release()
  }

  #noteLoss({ backend, loss }: DeviceLostError): void {
    this.#losses.set(backend, [...(this.#losses.get(backend) ?? []), loss])
  }

  #release(): void {
    this.#chosen.crossover?.dispose()
    this.device.dispose()
  }
}
