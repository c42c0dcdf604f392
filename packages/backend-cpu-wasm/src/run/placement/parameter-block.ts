/**
 * The block of a program in memory: addresses and counts, and the parameters of its law.
 *
 * @module
 */
import { play, sameParameters } from '@manybody/core/backend'
import type { ProgramDesign } from '../../design/design.ts'
import type { Regions } from './regions.ts'

type Numbers = Readonly<Record<string, number>>

export class ParameterBlock {
  readonly #regions: Regions
  readonly #design: ProgramDesign
  /** The parameters that were written last. They seldom change between runs. */
  #written: Numbers | undefined

  constructor(regions: Regions, design: ProgramDesign) {
    this.#regions = regions
    this.#design = design
  }

  /** Writes the parameters, which are evaluated in float64, in the precision of the device. */
  set(given: Numbers): void {
    if (this.#written && sameParameters(this.#written, given)) return
    const view = this.#view()
    const { block, run, parameters } = this.#design
    const values = play(run, { ...parameters, ...given })
    for (const [n, name] of run.names.entries()) {
      const entry = block.indexOf(name)
      if (entry < 0) continue
      if (this.#regions.precision === 'f64') view.setFloat64(entry * 8, values[n] as number, true)
      else view.setFloat32(entry * 8, values[n] as number, true)
    }
    this.#written = { ...given }
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
