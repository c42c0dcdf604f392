/**
 * One use of a program: the places of its inputs, its prepared points, its results, and its block of addresses and
 * parameters in memory.
 *
 * Memory is kept between runs, so that runs of one shape allocate only once.
 *
 * @module
 */
import type { ArrayResults, Bindings, FloatArray, Precision, Range, RunOptions, Shape } from '@manybody/core'
import { lengthOf, pairsIn, rangesWithin } from '@manybody/core/backend'
import { blockPoints } from '@manybody/core/near'
import type { PointStore, ResultLayout } from '../../design/design.ts'
import type { DeviceArray } from '../host/buffer.ts'
import type { Memory } from '../host/memory.ts'
import type { Job } from '../threads/job.ts'
import { Arrangement } from './arrangement.ts'
import { wordsOf } from './given-ranges.ts'
import { placeInput, placeWords } from './inputs.ts'
import { jobsOf, type OnceTotals } from './jobs.ts'
import { LastingLists } from './lasting.ts'
import type { LoadedProgram } from './loaded-program.ts'
import { ParameterBlock } from './parameter-block.ts'
import type { Entered } from './proxies.ts'
import { Regions } from './regions.ts'

export interface PlacementOptions {
  readonly memory: Memory
  readonly program: LoadedProgram
  readonly shape: Shape
  readonly precision: Precision
  readonly threads: number
}

export class Placement {
  readonly #options: PlacementOptions
  readonly #regions: Regions
  readonly #block: ParameterBlock
  #targets: Range = [0, 0]
  #sources: Range = [0, 0]
  /** Number of points of each side in the latest run, and of proxies, of which each round of a sequence may have others. */
  readonly #counts = { targets: 0, sources: 0, proxies: 0 }
  /** Addresses to which the phase `pairs` writes the results. */
  readonly #results = new Map<string, number>()
  /** Whether the pairs keep numbers that the results contain before: earlier results, or columns of other sources. */
  #keeps = false
  /** Address of the positions of targets. */
  #position = 0
  /** Integer results that must be converted to the floats of a device array. */
  #whole: readonly { readonly result: ResultLayout; readonly to: DeviceArray }[] = []
  /** Whether a result replaces its own input, so that the phase `copy` is needed. */
  #copies = false
  /** Matrices of device arrays whose columns outside the range of sources must be cleared in every run. */
  #cleared: readonly DeviceArray[] = []
  /** The points in blocks, if the program visits blocks. */
  readonly #arrangement: Arrangement | undefined
  /** How many entries all lists have together. */
  #listed = 0
  /** Number of pairs in the ranges that the caller gives. */
  #givenPairs: number | undefined
  /** Lists that last for several rounds, if a sequence carries what they need. */
  #lasting: LastingLists | undefined
  /** The totals of a thread, if each pair is visited once. */
  #once: OnceTotals | undefined
  /** Memory that is new may hold anything. */
  readonly #totals = { zero: false }

  constructor(options: PlacementOptions) {
    this.#options = options
    this.#regions = new Regions(options.memory, options.precision)
    const { precision, shape, program } = options
    this.#block = new ParameterBlock(this.#regions, program.design)
    const { coordinateBytes } = program.design
    if (coordinateBytes)
      this.#arrangement = new Arrangement({
        regions: this.#regions,
        precision,
        shape,
        coordinateBytes,
        boxesOfBlocks: !this.#lends,
        unitTargets: program.design.phases.find(({ pairs }) => pairs)?.points ?? 1,
      })
  }

  /** Puts everything in its place. Results go to the arrays in `outputs`, if there are any. */
  bind(
    bindings: Bindings,
    { targets, sources, initial }: RunOptions,
    outputs: Readonly<Record<string, DeviceArray>> = {},
  ): void {
    const { program, shape } = this.#options
    this.#targets = targets ?? [0, shape.targets]
    // Sources in given ranges have their numbers among all sources.
    this.#sources = (!shape.ranged && sources) || [0, shape.sources]
    const { parameters, exclusions, offsets } = bindings
    const entries: Record<string, number> = {}
    for (const input of program.design.arrays) {
      const range = input.side === 'target' ? this.#targets : this.#sources
      entries[`${input.side}.${input.name}`] = placeInput(this.#regions, input, bindings, range)
    }
    this.#position = entries['target.position'] ?? 0
    const [targetCount, sourceCount] = [lengthOf(this.#targets), lengthOf(this.#sources)]
    this.#counts.targets = targetCount
    this.#counts.sources = sourceCount
    const { points } = program.design
    if (points) {
      entries.targets = this.#regions.reserve('targets', bytesOf(points.target, targetCount))
      entries.sources = this.#regions.reserve('sources', bytesOf(points.source, sourceCount))
    }
    Object.assign(entries, {
      targetCount,
      sourceCount,
      targetFirst: this.#targets[0],
      sourceFirst: this.#sources[0],
      columns: shape.sources,
      merge: initial ? 1 : 0,
    })
    if (offsets) {
      this.#listed = offsets[targetCount] as number
      entries.starts = entries.finalStarts = placeWords(this.#regions, 'offsets', offsets)
    }
    if (exclusions) {
      entries.exclusionOffsets = placeWords(this.#regions, 'exclusionOffsets', exclusions.offsets)
      entries.exclusionSources = placeWords(this.#regions, 'exclusionSources', exclusions.sources)
    }
    this.#givenPairs = undefined
    if (bindings.ranges) {
      const part = { targets: this.#targets, sources: sources ?? this.#sources }
      const ranges = rangesWithin(bindings.ranges, part)
      this.#givenPairs = pairsIn(ranges)
      const unit = program.design.phases.find(({ pairs }) => pairs)?.points ?? 1
      for (const [name, words] of Object.entries(wordsOf(ranges, unit)))
        entries[name] = placeWords(this.#regions, name, words)
    }
    const read = new Set(
      Object.entries(entries).flatMap(([name, address]) => (name.startsWith('target.') ? [address] : [])),
    )
    this.#copies =
      program.design.inPlace === 'copy' &&
      program.design.results.some(({ name }) => read.has(outputs[name]?.address ?? 0))
    this.#whole = program.design.results.flatMap((result) => {
      const to = outputs[result.name]
      return to && result.type !== 'number' ? [{ result, to }] : []
    })
    const partial = program.design.results.filter(({ columns }) => columns && sourceCount < shape.sources)
    this.#keeps = initial !== undefined || partial.length > 0
    this.#cleared = partial.flatMap(({ name }) => outputs[name] ?? [])
    for (const { name, type } of program.design.results) {
      const given = type === 'number' ? outputs[name]?.address : undefined
      const address = given === undefined || this.#copies ? this.#result(name, initial) : given
      const ordered = this.#arrangement ? this.#ordered(name, given === undefined) : address
      this.#results.set(name, ordered)
      entries[`result.${name}`] = ordered
      entries[`final.${name}`] = given ?? address
    }
    if (this.#arrangement) {
      Object.assign(entries, this.#arrangement.bind(parameters, { exclusions: exclusions !== undefined, offsets }))
      entries.evaluated = this.#regions.reserve('evaluated', 4 * this.#blocks)
    }
    const { once } = program.design
    const { threads } = this.#options
    const blocks = once ? Math.max(1, Math.ceil(targetCount / once.blockPoints)) : 0
    this.#once = once && { blocks, totalBytes: blocks * once.blockBytes }
    const scratchBytes = this.#scratchBytes
    const scratchBase = this.#regions.reserve('scratch', scratchBytes * threads)
    Object.assign(entries, this.#once)
    Object.assign(entries, { scratchBase, scratchBytes, threads })
    this.#block.write(entries, parameters)
  }

  /** Number of pairs that the latest run computed; undefined if it computed all. */
  get evaluated(): number | undefined {
    if (!this.#arrangement) return this.#givenPairs
    const met = this.#regions.view('u32', this.#regions.at('evaluated'), this.#blocks) as Uint32Array
    const { targets } = this.#counts
    return met.reduce((sum, sources, n) => sum + sources * Math.min(blockPoints, targets - n * blockPoints), 0)
  }

  /**
   * Whether the result, of which sums have one, has the memory of what is not read any more when it is written. A search for the
   * nearest reads sources after the last one, and would count other pairs.
   */
  get #lends(): boolean {
    return this.#options.program.design.recordBytes !== undefined
  }

  get #scratchBytes(): number {
    return (this.#once?.totalBytes ?? 0) + this.#options.program.design.scratchBytes
  }

  /** Number of blocks of targets. */
  get #blocks(): number {
    return Math.ceil(this.#counts.targets / blockPoints)
  }

  /** Replaces the numbers of an attribute of sources that is no device array. */
  rewrite(name: string, values: FloatArray): void {
    const { memory, precision } = this.#options
    memory.numbers(precision, this.#regions.at(`source.${name}`), values.length).set(values)
  }

  /** Adds addresses and counts to those that the module reads. */
  enter(reserve: (regions: Regions) => Entered): void {
    const { entries, proxies } = reserve(this.#regions)
    this.#counts.proxies = proxies ?? 0
    this.#block.enter(entries)
  }

  /** Lets lists of what is near last for several rounds, by what a sequence carries. Call it once bound. */
  carry(carried: DeviceArray, bindings: Bindings): void {
    const { shape } = this.#options
    if (!this.#arrangement) return
    this.#lasting = new LastingLists({
      ...{ regions: this.#regions, arrangement: this.#arrangement, shape, carried },
      cutoff: bindings.parameters.cutoff as number,
      position: this.#position,
      enter: (entries) => this.#block.enter(entries),
    })
  }

  /** Works on its memory. */
  use(work: (regions: Regions) => void): void {
    work(this.#regions)
  }

  /**
   * The phases of the program, in order: all, or one part if proxies are made between two.
   *
   * @param between what the host does once nodes are weighed
   */
  jobs(part?: 'points' | 'pairs', between?: Job): readonly Job[] {
    return jobsOf({
      part,
      between,
      program: this.#options.program,
      regions: this.#regions,
      counts: this.#counts,
      results: this.#results,
      keeps: this.#keeps,
      whole: this.#whole,
      copies: this.#copies,
      cleared: this.#cleared,
      arrangement: this.#arrangement,
      lasting: this.#lasting,
      givenPairs: this.#givenPairs,
      threads: this.#options.threads,
      scratchBytes: this.#scratchBytes,
      once: this.#once,
      totals: this.#totals,
    })
  }

  /** Views of the results. Copy them at once, because they change with the memory. */
  results(): ArrayResults {
    const viewOf = (result: ResultLayout) =>
      this.#regions.view(result.type, this.#regions.at(`result.${result.name}`), this.#lengthOf(result))
    return Object.fromEntries(this.#options.program.design.results.map((result) => [result.name, viewOf(result)]))
  }

  dispose(): void {
    this.#regions.dispose()
  }

  #lengthOf({ entries, listed }: Pick<ResultLayout, 'entries' | 'listed'>): number {
    return listed ? this.#listed : this.#counts.targets * entries
  }

  /** Allocates a result and writes earlier results to it, if there are any. */
  #result(name: string, initial: ArrayResults | undefined): number {
    const { program, shape } = this.#options
    const result = program.design.results.find((r) => r.name === name) as ResultLayout
    const { type, empty } = result
    const length = this.#lengthOf(result)
    const address = this.#reserve(`result.${name}`, length * this.#regions.bytesOf(type), 'sources')
    const view = this.#regions.view(type, address, length)
    const from = initial?.[name]
    if (from) view.set(from)
    else if (initial || this.#counts.sources < shape.sources) view.fill(Number(empty))
    return address
  }

  /** Allocates a result in the order of places. It may replace positions of which the next run has a copy. */
  #ordered(name: string, copied: boolean): number {
    const result = this.#options.program.design.results.find((r) => r.name === name) as ResultLayout
    const bytes = this.#lengthOf(result) * this.#regions.bytesOf(result.type)
    return this.#reserve(`ordered.${name}`, bytes, copied ? 'target.position' : undefined)
  }

  #reserve(name: string, bytes: number, host: string | undefined): number {
    return host && this.#lends
      ? this.#regions.reserveIn(name, { host, offset: 0 }, bytes)
      : this.#regions.reserve(name, bytes)
  }
}

/** Bytes of the prepared points of a side. A unit of the loop may reach past the last one, so this rounds up to the largest unit. */
const bytesOf = ({ lanes, bytes }: PointStore, count: number): number => (Math.ceil(count / 16) * 16 * bytes) / lanes
