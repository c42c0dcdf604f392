/**
 * One use of a program: where its inputs, its prepared points, its results and its block of addresses and parameters
 * are in memory, and the jobs that follow from them.
 *
 * Memory is kept from run to run, so that runs of one shape allocate once.
 *
 * @module
 */
import type { ArrayResults, Bindings, FloatArray, Precision, Range, RunOptions, Shape } from '@manybody/core'
import { evaluate } from '@manybody/core/expression'
import { type InputArray, type LoadedProgram, type PhaseShape, phaseIndex } from './compile.ts'
import { DeviceArray } from './device-array.ts'
import type { Copies, Job } from './job.ts'
import type { Memory } from './memory.ts'
import type { Place } from './messages.ts'
import type { ResultArray } from './pair/fold.ts'

export interface PlacementOptions {
  readonly memory: Memory
  readonly program: LoadedProgram
  readonly shape: Shape
  readonly precision: Precision
  readonly threads: number
}

export class Placement {
  readonly #options: PlacementOptions
  readonly #regions = new Map<string, { readonly address: number; readonly bytes: number }>()
  #targets: Range = [0, 0]
  #sources: Range = [0, 0]
  /** The parameters and the block that they were last written to: they change less often than arrays do. */
  #parameters: string | undefined
  #blockAt = 0
  /** Addresses of the results as the phase of pairs writes them. */
  readonly #results = new Map<string, number>()
  /** Whether results hold what to go on from. */
  #merges = false
  /** Results of whole numbers that go to arrays of the device's numbers. */
  #whole: readonly { readonly result: ResultArray; readonly to: DeviceArray }[] = []
  /** Whether results replace what they are computed from, so that the phase `copy` is needed. */
  #copies = false

  constructor(options: PlacementOptions) {
    this.#options = options
  }

  /** Points of each side in the latest run. */
  get counts(): { readonly targets: number; readonly sources: number } {
    return { targets: this.#targets[1] - this.#targets[0], sources: this.#sources[1] - this.#sources[0] }
  }

  /** Puts everything in its place; results go to `outputs` where they are given. */
  bind(
    bindings: Bindings,
    { targets, sources, initial }: RunOptions,
    outputs: Readonly<Record<string, DeviceArray>> = {},
  ): void {
    const { program, shape } = this.#options
    this.#targets = targets ?? [0, shape.targets]
    this.#sources = sources ?? [0, shape.sources]
    this.#merges = initial !== undefined
    const entries: Record<string, number> = {}
    const origin = originOf(bindings, this.#options)
    for (const input of program.recipe.arrays)
      entries[`${input.side}.${input.name}`] = this.#input(input, bindings, origin)
    const { targets: targetCount, sources: sourceCount } = this.counts
    const { pointBytes } = program.recipe
    if (pointBytes) {
      entries.targets = this.#region('targets', pointBytes('target', targetCount))
      entries.sources = this.#region('sources', pointBytes('source', sourceCount))
    }
    Object.assign(entries, {
      targetCount,
      sourceCount,
      targetFirst: this.#targets[0],
      sourceFirst: this.#sources[0],
      columns: shape.sources,
      merge: initial ? 1 : 0,
    })
    if (bindings.exclusions) {
      entries.exclusionOffsets = this.#words('exclusionOffsets', bindings.exclusions.offsets)
      entries.exclusionSources = this.#words('exclusionSources', bindings.exclusions.sources)
    }
    const read = new Set(
      Object.entries(entries).flatMap(([name, address]) => (name.startsWith('target.') ? [address] : [])),
    )
    this.#copies =
      program.recipe.inPlace === 'copy' &&
      program.recipe.results.some(({ name }) => read.has(outputs[name]?.address ?? 0))
    this.#whole = program.recipe.results.flatMap((result) => {
      const to = outputs[result.name]
      return to && result.type !== 'number' ? [{ result, to }] : []
    })
    for (const { name, type } of program.recipe.results) {
      const given = type === 'number' ? outputs[name]?.address : undefined
      const address = given === undefined || this.#copies ? this.#result(name, initial) : given
      this.#results.set(name, address)
      entries[`result.${name}`] = address
      entries[`final.${name}`] = given ?? address
    }
    const { scratchBytes } = program.recipe
    const { threads } = this.#options
    const scratchBase = this.#region('scratch', scratchBytes * threads)
    Object.assign(entries, { scratchBase, scratchBytes, threads })
    this.#writeBlock(entries, bindings.parameters)
  }

  /** The phases of the program, in order. */
  jobs(): readonly Job[] {
    const { program, memory } = this.#options
    const phases = program.recipe.phases.filter(({ name }) => name !== 'copy' || this.#copies)
    const jobs: Job[] = phases.map((phase) => {
      const units = this.#units(phase)
      const perPoint = phase.pairs ? this.counts.sources * phase.nanoseconds : phase.nanoseconds
      const index = phaseIndex(program, phase.name)
      const pace = program.paces[index]
      const guess = this.counts[`${phase.over}s`] * perPoint * 1e-6
      const measured = pace?.alone
      return {
        program,
        phase: index,
        block: this.#at('block'),
        scratch: this.#at('scratch'),
        scratchBytes: program.recipe.scratchBytes,
        units,
        callUnits: phase.callUnits,
        cost: measured === undefined ? guess : measured * units,
        ...(pace ? { pace } : {}),
        copies: phase.pairs && !memory.shared ? () => this.#copiesOf(phase) : undefined,
      }
    })
    return [...jobs, ...this.#whole.map(({ result, to }) => this.#conversion(result, to))]
  }

  /** Writes whole numbers as numbers of the device: few beside what it takes to find them, and so on this thread. */
  #conversion({ name, entries, type }: ResultArray, { address, length }: DeviceArray): Job {
    const { memory, precision } = this.#options
    const convert = () => {
      const from = this.#view(type, this.#at(`result.${name}`), this.counts.targets * entries)
      memory.numbers(precision, address, length).set(from)
    }
    const program = { id: 0, phases: [convert] }
    const cost = length * 1e-6
    return { program, phase: 0, block: 0, scratch: 0, scratchBytes: 0, units: 1, callUnits: 1, cost }
  }

  /** What other memories need to hold for the phase of pairs. */
  #copiesOf(phase: PhaseShape): Copies {
    const { memory, program } = this.#options
    const read = ['block', 'targets', 'sources', 'exclusionOffsets', 'exclusionSources']
    const inputs = read.flatMap((name) => this.#placeOf(name))
    const base = { memory: memory.memory, inputs }
    const { totals } = program.recipe
    if (totals)
      return {
        ...base,
        before: phaseIndex(program, 'clear'),
        results: () => [],
        totals: { address: this.#at('scratch'), length: totals },
      }
    const results = (first: number, last: number): readonly Place[] => {
      const [from, to] = [first, last].map((unit) => Math.min(unit * phase.points, this.counts.targets)) as [
        number,
        number,
      ]
      return program.recipe.results.map(({ name, entries, type }) => {
        const bytes = entries * this.#bytesOf(type)
        return { address: (this.#results.get(name) ?? 0) + from * bytes, length: (to - from) * bytes }
      })
    }
    // Earlier results, to go on from.
    return { ...base, inputs: this.#merges ? [...inputs, ...results(0, this.#units(phase))] : inputs, results }
  }

  /** The results where they are, until the memory next changes: to be copied at once. */
  results(): ArrayResults {
    const { program } = this.#options
    return Object.fromEntries(
      program.recipe.results.map(({ name, entries, type }) => {
        const length = this.counts.targets * entries
        return [name, this.#view(type, this.#at(`result.${name}`), length)]
      }),
    )
  }

  dispose(): void {
    for (const { address } of this.#regions.values()) this.#options.memory.free(address)
    this.#regions.clear()
  }

  #units({ over, points, units }: PhaseShape): number {
    const { targets, sources } = this.counts
    if (units !== undefined) return targets > 0 ? units : 0
    return Math.ceil((over === 'source' ? sources : targets) / points)
  }

  #view(type: 'number' | 'i32' | 'u32', address: number, length: number): FloatArray | Int32Array | Uint32Array {
    const { memory, precision } = this.#options
    if (type === 'number') return memory.numbers(precision, address, length)
    return type === 'i32'
      ? new Int32Array(memory.memory.buffer, address, length)
      : new Uint32Array(memory.memory.buffer, address, length)
  }

  #bytesOf(type: ResultArray['type']): number {
    return type === 'number' && this.#options.precision === 'f64' ? 8 : 4
  }

  /** A region with all that is in it; nothing if there is no such region. */
  #placeOf(name: string): readonly Place[] {
    const region = this.#regions.get(name)
    return region ? [{ address: region.address, length: region.bytes }] : []
  }

  #at(name: string): number {
    return this.#regions.get(name)?.address ?? 0
  }

  /** A part of memory that is at least so large. */
  #region(name: string, bytes: number): number {
    const known = this.#regions.get(name)
    if (known && known.bytes >= bytes) return known.address
    if (known) this.#options.memory.free(known.address)
    this.#regions.delete(name)
    const address = this.#options.memory.allocate(bytes)
    this.#regions.set(name, { address, bytes })
    return address
  }

  #input({ side, name, components }: InputArray, bindings: Bindings, origin: FloatArray | undefined): number {
    const { memory, precision } = this.#options
    const [first] = side === 'target' ? this.#targets : this.#sources
    const offset = first * components * (precision === 'f64' ? 8 : 4)
    const array = (side === 'target' ? bindings.targets : bindings.sources).arrays[name]
    if (array instanceof DeviceArray && array.isIn(memory)) return array.address + offset
    const same = side === 'source' && bindings.sources === bindings.targets && this.#regions.has(`target.${name}`)
    if (same) return this.#at(`target.${name}`) + offset
    if (!(array instanceof Float32Array || array instanceof Float64Array))
      throw new TypeError(`"${name}" expected an array of this device`)
    const region = `${side}.${name}`
    const address = this.#region(region, array.length * (precision === 'f64' ? 8 : 4))
    const to = memory.numbers(precision, address, array.length)
    if (origin && name === 'position')
      for (let i = 0; i < array.length; i++) to[i] = (array[i] as number) - (origin[i % components] as number)
    else to.set(array)
    return address + offset
  }

  #words(name: string, values: Uint32Array): number {
    const address = this.#region(name, values.byteLength)
    new Uint32Array(this.#options.memory.memory.buffer, address, values.length).set(values)
    return address
  }

  /** Room for a result, holding what to go on from. */
  #result(name: string, initial: ArrayResults | undefined): number {
    const { program, shape } = this.#options
    const result = program.recipe.results.find((r) => r.name === name)
    const { entries, type, empty } = result ?? { entries: 1, type: 'number' as const, empty: 0 }
    const length = this.counts.targets * entries
    const address = this.#region(`result.${name}`, length * this.#bytesOf(type))
    const view = this.#view(type, address, length)
    const from = initial?.[name]
    if (from) view.set(from)
    else if (initial || this.counts.sources < shape.sources) view.fill(empty)
    return address
  }

  /** Addresses and counts as whole numbers; parameters, evaluated in float64, as numbers of the precision. */
  #writeBlock(entries: Readonly<Record<string, number>>, given: Readonly<Record<string, number>>): void {
    const { memory, program, precision } = this.#options
    const { kernel, run, parameters: own } = program.recipe
    const address = this.#region('block', kernel.block.size * 8)
    const view = new DataView(memory.memory.buffer, address, kernel.block.size * 8)
    for (const [name, offset] of kernel.block) if (name in entries) view.setUint32(offset, entries[name] ?? 0, true)
    const changed = Object.entries(given).join(' ')
    if (this.#parameters === changed && this.#blockAt === address) return
    const values = { ...own, ...given }
    for (const { name, expr } of run) {
      const offset = kernel.block.get(name)
      if (offset === undefined) continue
      const value = evaluate(expr, values)
      if (precision === 'f64') view.setFloat64(offset, value, true)
      else view.setFloat32(offset, value, true)
    }
    this.#parameters = changed
    this.#blockAt = address
  }
}

/**
 * Where float64 positions are counted from when they become float32: the first target. Only displacements matter to
 * pairs, and a far origin would take their digits.
 */
function originOf({ targets, sources }: Bindings, { precision, program }: PlacementOptions): FloatArray | undefined {
  if (precision === 'f64' || !program.recipe.pointBytes) return undefined
  const positions = [targets.arrays.position, sources.arrays.position]
  return positions.every((p) => p instanceof Float64Array && p.length > 0)
    ? (positions[0] as Float64Array).slice(0, 3)
    : undefined
}
