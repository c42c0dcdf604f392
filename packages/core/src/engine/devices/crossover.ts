/**
 * Short calls on the processor. A graphics device takes a tenth of a millisecond or more to answer anything. A processor computes a
 * few hundred points in this time.
 *
 * Real calls decide. The engine's device answers the first calls of each kind. If the processor might be faster, it is opened and
 * proven in the background, and answers the next calls. From then on the faster device answers.
 *
 * @module
 */

import type { Device, DeviceInfo } from '../../contract/backend.ts'
import { isRefusal } from '../../contract/candidates/refusals.ts'
import { DeviceLostError } from '../../problem/loaded-at-once.ts'
import type { Shape, Workload } from '../../problem/workloads/workload.ts'
import type { Programs } from '../programs.ts'
import type { Executed } from '../results/executed.ts'

/** Calls of each kind that each device answers before the faster is chosen. */
const tries = 5
/** The processor must be faster by this factor, so that chance does not decide. */
const clearly = 1.1
/** The processor is tried if its optimistic time, at this many interactions a millisecond, is below this multiple of the own time. */
const [hopeful, speed] = [2, 1e6]
/** The processor is given up early if it takes this many times as long. */
const hopeless = 3

/** Kinds of calls that are remembered. */
const most = 256

/** Times of whole calls of one kind, in milliseconds. */
export interface Times {
  readonly own: number[]
  readonly other: number[]
  /** Whether its program is prepared on the other device. */
  ready?: boolean
}

export class Crossover {
  readonly #own: DeviceInfo
  readonly #open: () => Promise<Programs>
  readonly #programKey: (workload: Workload, shape: Shape) => string
  readonly #known = new Map<string, Times>()
  #programs: Programs | undefined
  #opening: Promise<void> | undefined
  #over = false

  /**
   * @param own the engine's device
   * @param open opens the other device
   * @param programKey the key of a workload
   */
  constructor(
    own: DeviceInfo,
    open: () => Promise<Programs>,
    programKey: (workload: Workload, shape: Shape) => string,
  ) {
    this.#own = own
    this.#open = open
    this.#programKey = programKey
  }

  /**
   * Runs a call on the device that answers such calls sooner.
   *
   * @param programs of the engine's device
   * @param work runs the call with the programs of a device, from data on the host
   */
  async run(
    workload: Workload,
    shape: Shape,
    programs: Programs,
    work: (programs: Programs) => Promise<Executed>,
  ): Promise<Executed> {
    const times = this.timesOf(workload, shape)
    const other = this.answering(times)
    if (other) {
      try {
        const start = performance.now()
        const done = await work(other)
        return { ...done, report: { ...this.took(workload, shape, times, other, start), ...done.report } }
      } catch (error) {
        if (error instanceof DeviceLostError) this.dispose()
        else if (isRefusal(error)) times.ready = false
        else throw error
      }
    }
    const start = performance.now()
    const done = await work(programs)
    this.took(workload, shape, times, programs, start)
    return done
  }

  /** The programs of the processor, if it answers the next call of a kind. */
  answering(times: Times): Programs | undefined {
    return times.ready && faster(times) !== 'own' ? this.#programs : undefined
  }

  /** Whether these programs answer the next call of a kind. */
  answers(times: Times, programs: Programs): boolean {
    return programs === this.#programs ? programs === this.answering(times) : !this.answering(times)
  }

  /** Takes the time of a call that these programs have answered. Returns the reason for the report if they are the processor's. */
  took(
    workload: Workload,
    shape: Shape,
    times: Times,
    programs: Programs,
    start: number,
  ): { readonly crossover?: string } {
    const others = programs === this.#programs
    const latest = others ? times.other : times.own
    latest.push(performance.now() - start)
    // A device that was busy at first gets another chance.
    if (latest.length > tries) latest.shift()
    if (others) return { crossover: this.#reason(programs.device, times) }
    if (times.ready === undefined && times.own.length >= tries && hopefulFor(workload, shape, times)) {
      times.ready = false
      this.#opening = this.#prepare(workload, shape, times).catch(() => {})
    }
    return {}
  }

  /** All calls run on the engine's device from now on. */
  dispose(): void {
    this.#over = true
    this.#programs?.dispose()
    this.#programs?.device.dispose()
    this.#programs = undefined
  }

  async #prepare(workload: Workload, shape: Shape, times: Times): Promise<void> {
    await this.#opening
    if (!this.#programs) {
      if (this.#over) return
      this.#programs = await this.#open()
      if (this.#over || this.#programs.device.info.precision !== this.#own.precision) return this.dispose()
    }
    if (!this.#programs.device.supports(workload, shape).ok) return
    await this.#programs.using(workload, shape, undefined, async () => {})
    times.ready = true
  }

  /** The times of calls of this kind. */
  timesOf(workload: Workload, shape: Shape): Times {
    const sized = { ...shape, targets: classOf(shape.targets), sources: classOf(shape.sources) }
    const key = this.#programKey(workload, sized)
    const times = this.#known.get(key) ?? { own: [], other: [] }
    this.#known.set(key, times)
    const [oldest] = this.#known.keys()
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest)
    return times
  }

  #reason({ info }: Device, { own, other }: Times): string {
    const [slow, fast] = [own, other].map((times) => `${Math.min(...times).toFixed(2)} ms`)
    return `${info.backend} answers calls of this size in ${fast}, ${this.#own.backend} in ${slow}`
  }
}

/** Sizes count in powers of two. */
const classOf = (count: number) => 2 ** Math.ceil(Math.log2(Math.max(1, count)))

function faster({ own, other }: Times): 'own' | 'other' {
  const [slow, fast] = [Math.min(...own), Math.min(...other)]
  // Its first call is slow, because the code of that path is new.
  if (other.length < tries) return other.length < 2 || fast < hopeless * slow ? 'other' : 'own'
  return clearly * fast < slow ? 'other' : 'own'
}

function hopefulFor(workload: Workload, shape: Shape, { own }: Times): boolean {
  return interactionsOf(workload, shape) / speed < hopeful * Math.min(...own)
}

/** How much work a call is at most: pairs, points, or cells. */
function interactionsOf({ loop }: Workload, { targets, sources }: Shape): number {
  return loop === 'pair' ? targets * sources : targets
}
