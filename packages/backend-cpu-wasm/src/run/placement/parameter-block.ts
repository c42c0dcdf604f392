/**
 * The block of a program in memory: addresses and counts, and the parameters of its law.
 *
 * @module
 */
import { evaluate } from '@manybody/core/backend'
import type { ProgramDesign } from '../../design/design.ts'
import type { Regions } from './regions.ts'

type Numbers = Readonly<Record<string, number>>

export class ParameterBlock {
  readonly #regions: Regions
  readonly #design: ProgramDesign
  /** The parameters that were written last, and the address of their block. They seldom change between runs. */
  #written: string | undefined
  #address = 0

  constructor(regions: Regions, design: ProgramDesign) {
    this.#regions = regions
    this.#design = design
  }

  /** Writes addresses and counts as integers, and parameters, which are evaluated in float64, in the precision of the device. */
  write(entries: Numbers, given: Numbers): void {
    const { block, run, parameters: own } = this.#design
    const address = this.#regions.reserve('block', block.length * 8)
    this.enter(entries)
    const written = Object.entries(given).join(' ')
    if (this.#written === written && this.#address === address) return
    const view = this.#view()
    const values = { ...own, ...given }
    for (const { name, expr } of run) {
      const entry = block.indexOf(name)
      if (entry < 0) continue
      const offset = entry * 8
      const value = evaluate(expr, values)
      if (this.#regions.precision === 'f64') view.setFloat64(offset, value, true)
      else view.setFloat32(offset, value, true)
    }
    this.#written = written
    this.#address = address
  }

  /** Writes some addresses and counts. The module knows the names that count. */
  enter(entries: Numbers): void {
    const view = this.#view()
    for (const [n, name] of this.#design.block.entries())
      if (name in entries) view.setUint32(n * 8, entries[name] ?? 0, true)
  }

  #view(): DataView {
    const { memory } = this.#regions.memory
    return new DataView(memory.buffer, this.#regions.at('block'), this.#design.block.length * 8)
  }
}
