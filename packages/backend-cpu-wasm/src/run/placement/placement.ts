/**
 * One use of a program, with its places in memory: inputs, prepared points, results, and the block of addresses and parameters.
 *
 * Memory, places and jobs are kept between runs, so that runs of one shape only copy their numbers.
 *
 * @module
 */
import type { ArrayResults, Bindings, FloatArray } from '@manybody/core'
import { blockPoints } from '@manybody/core/backend'
import type { HeldArray } from '../host/held-array.ts'
import type { Memory } from '../host/memory.ts'
import type { Job } from '../threads/job.ts'
import type { Arrangement } from './arrangement.ts'
import type { BoundProgram, PlacementParts } from './bound-program.ts'
import { type JobList, jobsOf } from './jobs.ts'
import type { LastingLists, LastingOptions } from './lasting.ts'
import type { LoadedProgram } from './loaded-program.ts'
import { entriesOf, type LayoutOptions, layoutOf, type MemoryLayout, proxiesOf } from './memory-layout.ts'
import { ParameterBlock } from './parameter-block.ts'
import type { placeProxies } from './place-proxies.ts'
import { Regions } from './regions.ts'
import {
  type Copied,
  copiesOf,
  givenIn,
  hasSameRequest,
  isWhole,
  type RequestOptions,
  requestOf,
  wordsOf,
} from './request.ts'

export interface PlacementOptions extends Omit<LayoutOptions, 'design' | 'shared'> {
  readonly memory: Memory
  readonly program: LoadedProgram
  /** Absent for callers that cannot wait. */
  readonly parts?: PlacementParts | undefined
  /** Numbers the proxies of a tree, and gives them memory. Programs without trees have none. */
  readonly placeProxies?: typeof placeProxies
}

/** A layout with addresses. */
interface Placed extends BoundProgram {
  /** Its request as text. A run with the same text reuses the layout. */
  readonly key: string
  readonly copies: readonly Copied[]
  /** Whether most runs tell that they have the same request without making it. */
  readonly whole: boolean
  /** Views of the results, which last as long as the buffer of the memory does. */
  views?: ArrayResults
  /** Its jobs, once a run has asked for them. */
  list?: JobList
}

/** Milliseconds of the parts of a run. */
export interface RunTimes {
  upload: number
  compute: number
  readback: number
}

export class Placement {
  /** Of the latest run. */
  readonly times: RunTimes = { upload: 0, compute: 0, readback: 0 }
  readonly #options: PlacementOptions & LayoutOptions
  readonly #regions: Regions
  readonly #block: ParameterBlock
  /** The points in blocks, if the program visits blocks. */
  readonly #arrangement: Arrangement | undefined
  #placed: Placed | undefined
  #parameters: Bindings['parameters'] = {}

  constructor(given: PlacementOptions) {
    const { design } = given.program
    const ordering = design.coordinateBytes ? given.ordering : undefined
    const options = { ...given, design, ordering, shared: given.memory.shared }
    this.#options = options
    this.#regions = new Regions(options.memory, options.precision)
    this.#block = new ParameterBlock(this.#regions, design)
    if (ordering) this.#arrangement = new ordering.Arrangement(options, this.#regions)
  }

  /** Gives everything its place, and copies the numbers. Results go to the arrays in `outputs`, if there are any. */
  bind(bindings: Bindings, options: RequestOptions): void {
    const before = this.#placed
    const again = before?.whole && hasSameRequest(before.layout.request, before.copies, bindings, options)
    const placed = again ? before : this.#placedFor(bindings, options)
    const { memory, precision, at } = this.#regions
    for (const { side, name, region, first, length } of placed.copies) {
      const array = bindings[side].arrays[name] as FloatArray
      const part = array.length === length ? array : array.subarray(first, first + length)
      memory.write(precision, at[region] as number, part)
    }
    if (bindings.tables) memory.write(precision, at.tables as number, bindings.tables)
    this.#fill(placed, options.initial)
    this.#arrangement?.bind(bindings)
    this.#parameters = bindings.parameters
    this.#block.set(bindings.parameters)
  }

  /** The places for a run, with the lists of its own copied there. */
  #placedFor(bindings: Bindings, options: RequestOptions): Placed {
    const { parts, shape, program } = this.#options
    const given = givenIn(bindings, options, this.#options)
    const request = requestOf(bindings, options, this.#options, given)
    const key = JSON.stringify(request)
    if (this.#placed?.key !== key) {
      this.#placed = undefined
      const layout = layoutOf(this.#options, request)
      this.#regions.place(layout.regions)
      const addresses = entriesOf(layout, this.#regions.at)
      this.#block.enter(addresses)
      const copies = copiesOf(program.design, request)
      const [regions, arrangement, whole] = [this.#regions, this.#arrangement, isWhole(request, shape)]
      this.#placed = { key, copies, whole, program, parts, layout, regions, addresses, arrangement }
    }
    const { memory, at } = this.#regions
    for (const [name, list] of wordsOf(bindings, given))
      new Uint32Array(memory.memory.buffer, at[name], list.length).set(list)
    return this.#placed
  }

  /** Writes earlier results into the memory of the loop, or the values for no sources. */
  #fill({ layout, addresses }: Placed, initial: ArrayResults | undefined): void {
    if (!initial && layout.counts.sources === layout.shape.sources) return
    for (const { name, type, length, own, empty } of layout.results) {
      if (!own) continue
      const view = this.#regions.view(type, addresses[`result.${name}`] as number, length)
      const from = initial?.[name]
      if (from) view.set(from)
      else view.fill(Number(empty))
    }
  }

  /** Number of pairs that the latest run computed; undefined if it computed all pairs, or had nothing to compute. */
  get evaluated(): number | undefined {
    if (!this.#placed) return undefined
    const { layout, addresses } = this.#placed
    if (!layout.ordered) return layout.request.givenPairs
    const { targets } = layout.counts
    const blocks = Math.ceil(targets / blockPoints)
    const met = this.#regions.view('u32', addresses.evaluated as number, blocks)
    let pairs = 0
    for (let n = 0; n < blocks; n++) pairs += (met[n] as number) * Math.min(blockPoints, targets - n * blockPoints)
    return pairs
  }

  /** Takes other parameters, and tables of the same size. Numbers that it was bound with besides stay. */
  renumber({ parameters, tables }: Bindings): void {
    const { memory, precision, at } = this.#regions
    if (tables) memory.numbers(precision, at.tables as number, tables.length).set(tables)
    this.#parameters = { ...this.#parameters, ...parameters }
    this.#block.set(this.#parameters)
    this.#arrangement?.renumber(this.#parameters)
    if (parameters.cutoff !== undefined) this.#placed?.lasting?.renumber(parameters)
  }

  /** Replaces the numbers of an attribute of sources. The attribute must not be a device array. */
  rewrite(name: string, values: FloatArray): void {
    const { memory, precision, at } = this.#regions
    memory.numbers(precision, at[`source.${name}`] as number, values.length).set(values)
  }

  /** Lets a sequence reuse Verlet lists for several rounds, by the state that it carries. Call it once bound. */
  carry(carried: HeldArray, { parameters }: Bindings, listsOf: (options: LastingOptions) => LastingLists): void {
    const arrangement = this.#arrangement
    if (!arrangement) return
    const { shape } = this.#options
    const { addresses, ...placed } = this.#now
    const lasting = listsOf({
      ...{ regions: this.#regions, arrangement, shape, carried },
      parameters,
      position: addresses['target.position'] as number,
      enter: (entries) => this.#block.enter(entries),
    })
    this.#placed = { ...placed, addresses, lasting }
  }

  /** The phases of the program, in order. */
  jobs(): readonly Job[] {
    const placed = this.#now
    if (!placed.list) placed.list = jobsOf(placed, () => this.#placeProxies(placed.layout))
    else if (this.#options.threads > 1) placed.list.time()
    return placed.list.jobs
  }

  #placeProxies({ request: { setting } }: MemoryLayout): number {
    if (!setting) return 0
    // Only trees have a setting.
    const place = this.#options.placeProxies as typeof placeProxies
    const { proxyCount, ...entries } = place(this.#regions, proxiesOf(this.#options), setting)
    this.#block.enter(entries)
    return proxyCount
  }

  /** Views of the results. Copy them at once, because they change with the memory. */
  results(): ArrayResults {
    const placed = this.#now
    const { layout, addresses, views: before } = placed
    const [{ name: first = '' } = {}] = layout.results
    if (before?.[first]?.buffer === this.#regions.memory.memory.buffer) return before
    const views: Record<string, ArrayResults[string]> = {}
    for (const { name, type, length } of layout.results)
      views[name] = this.#regions.view(type, addresses[`final.${name}`] as number, length)
    placed.views = views
    return views
  }

  dispose(): void {
    this.#regions.dispose()
  }

  get #now(): Placed {
    if (!this.#placed) throw new Error('the placement was not bound')
    return this.#placed
  }
}
