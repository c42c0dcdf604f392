/**
 * Collects the results of a job: takes the first result of each block, compares later ones, and judges which workers computed wrongly.
 * It neither gives out work nor hears messages.
 *
 * @module
 */
import type { ArrayResults } from '@manybody/core'
import { Rechecks } from '../schedule/rechecks.ts'
import { independent } from '../wire/address.ts'
import type { CallEnd, WorkerReport } from '../wire/answer.ts'
import type { Blocks, Partition } from '../wire/partition.ts'
import { Authors, type Fault } from './authors.ts'
import type { OpenCall } from './calls.ts'
import { Gather } from './gather.ts'
import type { SpreadJob, SpreadOptions, SpreadRun } from './spread-job.ts'
import type { Member } from './team.ts'

export class Collecting {
  readonly #gather: Gather
  readonly #authors: Authors
  readonly #rechecks: Rechecks
  readonly #suspicious: boolean
  readonly #took = new Map<string, Member>()
  readonly #reports = new Map<string, WorkerReport>()
  /** Total computing time of all workers, in milliseconds. */
  #computed = 0

  constructor({ job, offsets, bindings }: SpreadJob, partition: Partition, { into, recheck }: SpreadOptions) {
    this.#gather = new Gather(job, partition, offsets, into)
    this.#authors = new Authors(job, bindings)
    this.#rechecks = new Rechecks(recheck)
    this.#suspicious = recheck > 0
  }

  /** Whether all blocks chosen for a check have been checked. */
  get checked(): boolean {
    return this.#rechecks.finished
  }

  /** Bytes of the results of some blocks. */
  sizeOf(span: Blocks): number {
    return this.#gather.layout(span).bytes
  }

  /** A finished block for a worker to compute again, so that its results can be compared. */
  check(worker: string): Blocks | undefined {
    return this.#rechecks.take(worker)
  }

  /** Whether results of a worker were taken. */
  knows(worker: string): boolean {
    return this.#reports.has(worker)
  }

  /**
   * Takes the results of a call.
   *
   * @param fresh for each block, whether this is its first result
   * @returns who computed wrongly, where results differ
   */
  take(
    { member, span, parts, again }: OpenCall,
    { report, time, evaluated }: CallEnd,
    fresh: readonly boolean[],
  ): readonly Fault[] {
    const worker = member.info.id
    const author = { info: member.info, report, evaluated: evaluated / fresh.length }
    const differing = this.#gather.place(span, fresh, parts)
    this.#took.set(worker, member)
    this.#reports.set(worker, report)
    this.#computed += time
    for (const [n, first] of fresh.entries()) {
      if (!first) continue
      this.#authors.add(span.first + n, author)
      this.#rechecks.hear(span.first + n, worker)
    }
    if (again) this.#rechecks.finish(span.first)
    const faults: Fault[] = []
    for (const second of differing) {
      const other = this.#authors.of(second.block)
      // All results of a worker that is left out are thrown away.
      if (other === undefined || faults.some((fault) => fault.worker === other)) continue
      faults.push(...this.#authors.faults(this.#gather.first(second.block), second, author, this.#suspicious))
    }
    return faults
  }

  /** Checks blocks of the only worker that is there, until one is wrong. */
  checkAlone(able: readonly Member[]): readonly Fault[] {
    for (const [block, author] of this.#rechecks.waiting) {
      if (able.some(({ info }) => independent(info.id, author))) continue
      this.#rechecks.finish(block)
      const faults = this.#authors.faultsAlone(this.#gather.first(block))
      if (faults.length > 0) return faults
    }
    return []
  }

  /** Takes back the block that a worker should check, because the worker is gone or refuses it. */
  release(worker: string): void {
    this.#rechecks.release(worker)
  }

  /** Throws away the results of a worker. Returns the blocks that now have no result. */
  forget(worker: string): readonly number[] {
    this.#rechecks.forget(worker)
    this.#took.delete(worker)
    this.#reports.delete(worker)
    return this.#authors.remove(worker)
  }

  /** All results, and who computed them. */
  all(initial: ArrayResults | undefined): Omit<SpreadRun, 'blocks' | 'repeated' | 'bytes' | 'waiting'> {
    return {
      results: this.#gather.results(initial),
      reports: [...this.#reports.values()],
      evaluated: this.#authors.evaluated,
      rechecked: this.#rechecks.compared,
      judged: this.#authors.judged,
      workers: [...this.#took.values()],
    }
  }

  /** Average computing time of a worker, in milliseconds. */
  get computing(): number {
    return this.#computed / Math.max(1, this.#took.size)
  }
}
