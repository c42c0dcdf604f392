/**
 * The block of a program in memory: addresses and counts, and the parameters of its law.
 *
 * @module
 */
import { evaluator, sameParameters } from '@manybody/core/backend'
import type { ProgramDesign } from '../../design/design.ts'
import type { Regions } from './regions.ts'

type Numbers = Readonly<Record<string, number>>

/** A number of the block: its place, and its value by those of the parameters. */
interface Write {
  readonly entry: number
  readonly of: (numbers: Float64Array) => number
}

export class ParameterBlock {
  readonly #regions: Regions
  readonly #design: ProgramDesign
  /** The parameters that were written last. They seldom change between runs. */
  #written: Numbers | undefined
  /** What to write where, from the numbers of these parameters. */
  #writes: { readonly names: readonly string[]; readonly entries: readonly Write[] } | undefined

  constructor(regions: Regions, design: ProgramDesign) {
    this.#regions = regions
    this.#design = design
  }

  /** Writes the parameters, which are evaluated in float64, in the precision of the device. */
  set(given: Numbers): void {
    if (this.#written && sameParameters(this.#written, given)) return
    const view = this.#view()
    const values = { ...this.#design.parameters, ...given }
    const numbers = Float64Array.from(Object.values(values))
    for (const { entry, of } of this.#writesOf(Object.keys(values))) {
      if (this.#regions.precision === 'f64') view.setFloat64(entry * 8, of(numbers), true)
      else view.setFloat32(entry * 8, of(numbers), true)
    }
    this.#written = { ...given }
  }

  #writesOf(names: readonly string[]): readonly Write[] {
    const known = this.#writes
    if (known?.names.length === names.length && known.names.every((name, n) => name === names[n])) return known.entries
    const { block, run } = this.#design
    const entries = run
      .map(({ name, expr }) => ({ entry: block.indexOf(name), of: evaluator(expr, names) }))
      .filter(({ entry }) => entry >= 0)
    this.#writes = { names, entries }
    return entries
  }

  /** Writes addresses and counts as integers. Names that the module does not have are ignored. */
  enter(entries: Numbers): void {
    const view = this.#view()
    for (const [n, name] of this.#design.block.entries())
      if (name in entries) view.setUint32(n * 8, entries[name] ?? 0, true)
  }

  #view(): DataView {
    const { memory, at } = this.#regions
    return new DataView(memory.memory.buffer, at.block, this.#design.block.length * 8)
  }
}
