/**
 * Who computed each block of a run. Where two workers got different results, this file decides who was wrong.
 *
 * @module
 */
import type { Bindings } from '@manybody/core'
import type { WorkerReport } from '../wire/answer.ts'
import type { ClusterJob } from '../wire/job.ts'
import type { WorkerInfo } from '../wire/worker-info.ts'
import { type BlockResults, judge } from './judging.ts'

export interface Author {
  readonly info: WorkerInfo
  readonly report: WorkerReport
  /** Pairs that it evaluated for one block. */
  readonly evaluated: number
}

/** Why a worker must not be asked again. */
export interface Fault {
  readonly worker: string
  readonly reason: string
}

export class Authors {
  readonly #of = new Map<number, Author>()
  /** Targets that were compared with the reference. */
  judged = 0

  constructor(
    readonly job: ClusterJob,
    readonly bindings: Bindings,
  ) {}

  add(block: number, author: Author): void {
    this.#of.set(block, author)
  }

  /** Who computed a block; undefined if no trusted worker did. */
  of(block: number): string | undefined {
    return this.#of.get(block)?.info.id
  }

  /** Forgets the blocks of a worker. Returns their numbers. */
  remove(worker: string): readonly number[] {
    const blocks = Array.from(this.#of).flatMap(([block, { info }]) => (info.id === worker ? [block] : []))
    for (const block of blocks) this.#of.delete(block)
    return blocks
  }

  /** Pairs that were evaluated for the results. */
  get evaluated(): number {
    let sum = 0
    for (const { evaluated } of this.#of.values()) sum += evaluated
    return Math.round(sum)
  }

  /**
   * Finds who computed wrongly when a second worker got other bits for a block. Different devices may get different bits. So may equal
   * GPUs, because their timing decides how they divide long sums.
   *
   * @param suspicious whether to judge these, too
   */
  faults(first: BlockResults, second: BlockResults, by: Author, suspicious: boolean): readonly Fault[] {
    const before = this.#of.get(first.block) as Author
    const alike = likeness(before) === likeness(by) && by.info.kind === 'cpu'
    if (!alike && !suspicious) return []
    const wrong = [
      ...(this.#isRight(first, before, second) ? [] : [faultOf(first, before)]),
      ...(this.#isRight(second, by, first) ? [] : [faultOf(second, by)]),
    ]
    if (wrong.length > 0 || !alike) return wrong
    // Nobody knows which of the two to prefer. Where workers may lie, one could have others left out in this way.
    if (suspicious) return []
    const reason = `it computed other bits for block ${first.block} than an equal worker; check the machine`
    return [{ worker: by.info.id, reason }]
  }

  /** Judges a block that nobody else can compute. */
  faultsAlone(first: BlockResults): readonly Fault[] {
    const author = this.#of.get(first.block) as Author
    return this.#isRight(first, author) ? [] : [faultOf(first, author)]
  }

  #isRight(block: BlockResults, { info, report }: Author, other?: BlockResults): boolean {
    const { right, rows } = judge(this.job, this.bindings, block, { ...report, kind: info.kind }, other?.results)
    this.judged += rows
    return right
  }
}

const likeness = ({ info, report }: Author) => `${info.backend} ${info.name} ${report.variant}`

const faultOf = ({ block }: BlockResults, { info }: Author): Fault => ({
  worker: info.id,
  reason: `its results of block ${block} are wrong; do not trust this machine`,
})
