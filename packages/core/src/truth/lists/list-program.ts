/**
 * Lists on a device. A first program counts, and its counts give the start of each list. A second program writes the lists there. So
 * nothing is allocated before its size is known.
 *
 * A graphics compiler may round a distance differently in two shaders, so that the second program finds a source more or less at
 * the radius. If it reports its own counts, and they differ, it lists again with these lengths.
 *
 * @module
 */

import type { Bindings, Device, Program, Report, RunOptions } from '../../contract/backend.ts'
import { lengthOf, runRanges } from '../../methods/loaded-at-once.ts'
import { lengthsOf, listsIn, mergedLists } from '../../problem/loaded-at-once.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { offsetsOf } from './offsets.ts'

export class ListProgram implements Program {
  readonly #info: Device['info']
  readonly #workload: PairWorkload
  readonly #shape: Shape
  readonly #count: Program
  readonly #list: Program

  constructor(info: Device['info'], workload: PairWorkload, shape: Shape, count: Program, list: Program) {
    this.#info = info
    this.#workload = workload
    this.#shape = shape
    this.#count = count
    this.#list = list
  }

  /** The report of the second program, which met each pair again, with the times of both. */
  get report(): Report {
    const [a, b] = [this.#count.report.timings, this.#list.report.timings]
    const timings = {
      compile: a.compile + b.compile,
      upload: a.upload + b.upload,
      compute: a.compute + b.compute,
      readback: a.readback + b.readback,
    }
    const { report } = this.#list
    const interactionsPerSecond = timings.compute > 0 ? (1000 * report.interactions) / timings.compute : 0
    return { ...report, timings, interactionsPerSecond }
  }

  async run(bindings: Bindings, { initial, into, onProgress, ...options }: RunOptions = {}): Promise<ArrayResults> {
    const half = (before: number) => onProgress && ((fraction: number) => onProgress(before + fraction / 2))
    const rows = lengthOf(runRanges(this.#workload, this.#shape, options).targets)
    const given = into?.offsets?.length === rows + 1 ? (into.offsets as Uint32Array) : undefined
    const { count = [] } = await this.#count.run(bindings, { ...options, onProgress: half(0) })
    const list = (lengths: ArrayLike<number>) =>
      this.#listOf(bindings, { ...options, onProgress: half(0.5) }, offsetsOf(lengths, this.#info, given), into?.index)
    const first = await list(count)
    if (agree(first.lengths, count)) return this.#joined(initial, first.lists)
    const second = await list(first.lengths)
    if (agree(second.lengths, first.lengths)) return this.#joined(initial, second.lists)
    throw new Error('Cannot list the neighbours: the points changed during the run; write them before it or after it')
  }

  #joined(initial: RunOptions['initial'], lists: ArrayResults): ArrayResults {
    return initial ? mergedLists(initial, lists) : lists
  }

  /** Lists that start at the offsets, and how long they would have to be. */
  async #listOf(bindings: Bindings, options: RunOptions, offsets: Uint32Array, into: ArrayResults[string] | undefined) {
    const index = roomIn(into as Int32Array | undefined, offsets.at(-1) as number)
    const found = await this.#list.run({ ...bindings, offsets }, { ...options, into: index && { index } })
    if (index && found.index !== index) index.set(found.index ?? [])
    return { lists: { offsets, index: index ?? listsIn(found).index }, lengths: found.count ?? lengthsOf({ offsets }) }
  }

  dispose(): void {
    this.#count.dispose()
    this.#list.dispose()
  }
}

function agree(some: ArrayLike<number>, others: ArrayLike<number>): boolean {
  for (let n = 0; n < some.length; n++) if (some[n] !== others[n]) return false
  return true
}

/** The part of the caller's array that holds the lists: itself if it has their length. @throws RangeError if it is too short */
function roomIn(into: Int32Array | undefined, entries: number): Int32Array | undefined {
  if (into === undefined || into.length === entries) return into
  if (into.length > entries) return into.subarray(0, entries)
  throw new RangeError(
    `"into.index" expected at least length ${entries}, as many as there are neighbours, got ${into.length}`,
  )
}
