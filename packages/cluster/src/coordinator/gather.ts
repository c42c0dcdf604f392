/**
 * Puts the results of blocks together. Blocks of targets have their place in the results. Blocks of sources are combined in float64, in
 * ascending order, once all are there. The answer therefore does not depend on the order of arrival.
 *
 * @module
 */
import type { ArrayResults } from '@manybody/core'
import { resultArrays } from '@manybody/core/backend'
import { combine } from '@manybody/core/judge'
import { bytesOf } from '../wire/arrays.ts'
import type { ClusterJob } from '../wire/job.ts'
import { type Blocks, type Partition, pointsIn } from '../wire/partition.ts'
import { type Layout, layoutOf, read } from '../wire/results.ts'
import { type BlockResults, same } from './judging.ts'

type Column = ArrayResults[string]

export class Gather {
  readonly #job: ClusterJob
  readonly #partition: Partition
  readonly #offsets: Uint32Array | undefined
  /** Results of all targets, if targets are divided. */
  readonly #whole: Record<string, Column> = {}
  /** Results of each block, if sources are divided. */
  readonly #blocks: ArrayResults[] = []

  /** @param into arrays of the caller, which are used where they fit */
  constructor(job: ClusterJob, partition: Partition, offsets: Uint32Array | undefined, into: ArrayResults | undefined) {
    this.#job = job
    this.#partition = partition
    this.#offsets = offsets
    if (partition.divides === 'targets') {
      const [all] = layoutOf(job, partition, { first: 0, last: partition.blocks }, offsets).runs
      for (const { name, type, length } of all?.pieces ?? []) {
        const given = into?.[name]
        const fits = given?.constructor.name === type && given.length === length
        this.#whole[name] = fits ? given : newColumn(type, length)
      }
    }
  }

  layout(span: Blocks): Layout {
    return layoutOf(this.#job, this.#partition, span, this.#offsets)
  }

  /**
   * Takes the results of blocks, or compares them with the first results.
   *
   * @param parts their bytes, divided anywhere
   * @param fresh for each block, whether this is its first result
   * @returns results that came again with other bits
   */
  place(span: Blocks, fresh: readonly boolean[], parts: readonly Uint8Array[]): readonly BlockResults[] {
    if (this.#partition.divides === 'targets' && fresh.every(Boolean)) {
      this.#takeAll(span, parts)
      return []
    }
    const differing: BlockResults[] = []
    const bytes = new Uint8Array(this.layout(span).bytes)
    copyFrom(parts, 0, bytes)
    for (const [n, results] of this.#split(span, bytes).entries()) {
      const block = span.first + n
      if (fresh[n]) this.#take(block, results)
      else if (!same(results, this.first(block).results)) differing.push(this.#of(block, results))
    }
    return differing
  }

  /** The first results of a block. */
  first(block: number): BlockResults {
    if (this.#partition.divides === 'sources') return this.#of(block, this.#blocks[block] as ArrayResults)
    const span = { first: block, last: block + 1 }
    return this.#of(block, this.#part(this.#whole, { first: 0, last: this.#partition.blocks }, span))
  }

  /** All results. */
  results(initial: ArrayResults | undefined): ArrayResults {
    if (this.#partition.divides === 'targets') return initial ? this.#joined([initial, this.#whole]) : this.#whole
    return this.#joined(initial ? [initial, ...this.#blocks] : this.#blocks)
  }

  #of(block: number, results: ArrayResults): BlockResults {
    const points = pointsIn(this.#partition, { first: block, last: block + 1 })
    const { targets, sources } = this.#job
    return { block, targets, sources, [this.#partition.divides]: points, results }
  }

  /** The results of each block. */
  #split(span: Blocks, bytes: Uint8Array): readonly ArrayResults[] {
    const runs = this.layout(span).runs.map((run) => read(bytes, run))
    const [all] = runs
    if (this.#partition.divides === 'sources' || !all) return runs
    return Array.from({ length: span.last - span.first }, (_, n) =>
      this.#part(all, span, { first: span.first + n, last: span.first + n + 1 }),
    )
  }

  /** Copies the results of blocks that are all new in one go, directly from their messages: there may be thousands of blocks. */
  #takeAll(span: Blocks, parts: readonly Uint8Array[]): void {
    for (const { name, at, length } of this.layout(span).runs[0]?.pieces ?? []) {
      const column = this.#whole[name] as Column
      const size = column.BYTES_PER_ELEMENT
      const first = size * this.#numbers(name, span)[0]
      copyFrom(parts, at, bytesOf(column).subarray(first, first + size * length))
    }
  }

  #take(block: number, results: ArrayResults): void {
    if (this.#partition.divides === 'sources') this.#blocks[block] = results
    else
      for (const [name, column] of Object.entries(results))
        (this.#whole[name] as Column).set(column, this.#numbers(name, { first: block, last: block + 1 })[0])
  }

  /** Views of some targets' results. */
  #part(results: ArrayResults, all: Blocks, some: Blocks): ArrayResults {
    return Object.fromEntries(
      Object.entries(results).map(([name, column]) => {
        const [start] = this.#numbers(name, all)
        const [first, last] = this.#numbers(name, some)
        return [name, column.subarray(first - start, last - start)]
      }),
    )
  }

  /** Where the numbers of some blocks lie in a whole result. */
  #numbers(name: string, span: Blocks): readonly [first: number, last: number] {
    const begin = this.#job.targets[0]
    const [first, last] = pointsIn(this.#partition, span).map((target) => target - begin) as [number, number]
    const offsets = this.#offsets
    if (offsets && name === 'index') return [offsets[first] as number, offsets[last] as number]
    const rows = this.#job.targets[1] - begin
    const width = rows === 0 ? 0 : (this.#whole[name] as Column).length / rows
    return [first * width, last * width]
  }

  /** Combines results of disjoint sources. Sums are added in float64 and rounded once. */
  #joined(parts: readonly ArrayResults[]): ArrayResults {
    const { workload, shape, precision, targets } = this.#job
    const wide: ArrayResults[] = parts.map((part) =>
      Object.fromEntries(
        Object.entries(part).map(([name, column]) => [
          name,
          column instanceof Float32Array ? Float64Array.from(column) : column,
        ]),
      ),
    )
    const joined = wide.reduce((a, b) => combine(workload, a, b))
    const types = resultArrays(workload, { ...shape, targets: targets[1] - targets[0] }, precision)
    return Object.fromEntries(
      Object.entries(joined).map(([name, column]) => {
        const Type = types.get(name)?.Type
        return [name, Type && !(column instanceof Type) ? new Type(column) : column]
      }),
    )
  }
}

/** Copies bytes from consecutive parts, starting at the byte `from`. */
function copyFrom(parts: readonly Uint8Array[], from: number, into: Uint8Array): void {
  let at = -from
  for (const part of parts) {
    if (at + part.length > 0 && at < into.length)
      into.set(part.subarray(Math.max(0, -at), into.length - at), Math.max(0, at))
    at += part.length
  }
}

function newColumn(type: string, length: number): Column {
  const make = { Float32Array, Float64Array, Int32Array, Uint32Array } as const
  return new make[type as keyof typeof make](length)
}
