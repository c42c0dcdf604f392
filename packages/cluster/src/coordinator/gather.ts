/**
 * Puts the results of blocks together. Blocks of targets have their place in the results. Blocks of sources are combined in
 * ascending order once all are there, in float64, so that the answer does not depend on which came first.
 *
 * @module
 */
import type { ArrayResults } from '@manybody/core'
import { combine, resultArrays } from '@manybody/core/backend'
import { bytesOf } from '../wire/arrays.ts'
import type { ClusterJob } from '../wire/job.ts'
import { type Blocks, type Partition, pointsIn } from '../wire/partition.ts'
import { type Layout, layoutOf, type RunLayout, read } from '../wire/results.ts'

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
   * Takes the results of blocks, or compares them with those that came first.
   *
   * @param fresh for each block, whether this is its first result
   * @returns whether results that came again are equal to the bit
   */
  place(span: Blocks, fresh: readonly boolean[], bytes: Uint8Array): boolean {
    const { runs } = this.layout(span)
    if (this.#partition.divides === 'targets') return this.#placeTargets(runs[0] as RunLayout, fresh, bytes)
    let equal = true
    for (const [n, run] of runs.entries()) {
      const results = read(bytes, run)
      const block = run.span.first
      if (fresh[n]) this.#blocks[block] = results
      else equal &&= same(results, this.#blocks[block] as ArrayResults)
    }
    return equal
  }

  /** All results. */
  results(initial: ArrayResults | undefined): ArrayResults {
    if (this.#partition.divides === 'targets') return initial ? this.#joined([initial, this.#whole]) : this.#whole
    return this.#joined(initial ? [initial, ...this.#blocks] : this.#blocks)
  }

  #placeTargets(run: RunLayout, fresh: readonly boolean[], bytes: Uint8Array): boolean {
    const results = read(bytes, run)
    let equal = true
    for (const [n, isFresh] of fresh.entries()) {
      const block = { first: run.span.first + n, last: run.span.first + n + 1 }
      for (const [name, column] of Object.entries(results)) {
        const [first, last] = this.#numbers(name, block)
        const [start] = this.#numbers(name, run.span)
        const numbers = column.subarray(first - start, last - start)
        const whole = this.#whole[name] as Column
        if (isFresh) whole.set(numbers, first)
        else equal &&= same({ name: numbers }, { name: whole.subarray(first, last) })
      }
    }
    return equal
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

function newColumn(type: string, length: number): Column {
  const make = { Float32Array, Float64Array, Int32Array, Uint32Array } as const
  return new make[type as keyof typeof make](length)
}

function same(a: ArrayResults, b: ArrayResults): boolean {
  return Object.entries(a).every(([name, column]) => {
    const [mine, theirs] = [bytesOf(column), bytesOf(b[name] as Column)]
    return mine.length === theirs.length && mine.every((byte, n) => byte === theirs[n])
  })
}
