/**
 * Sums through a grid on this device's threads: their module, and one set of arrays that all sums of a device take in turn.
 *
 * @module
 */
import type { FloatArray, RunOptions } from '@manybody/core'
import type { GridPoints, GridSum } from '@manybody/core/backend'
import { type GridDesign, type GridForm, gridForm } from '../../design/grid-layout.ts'
import type { Host } from '../host/host.ts'
import type { LoadedGrid } from '../placement/loaded-program.ts'
import { load, Regions } from '../programs/loaded-at-once.ts'
import { GridArrays } from './grid-arrays.ts'
import { gridJobs } from './grid-jobs.ts'

/** How many modules are kept: a run and its judges take two. */
const mostModules = 16

export class GridSums {
  readonly #host: Host
  readonly #compile: (form: GridForm) => GridDesign
  readonly #regions: Regions
  /** The sum with the factors in memory. Steps of a simulation have one sum, and its factors are most of what is written. */
  #written: GridSum | undefined
  readonly #modules = new Map<string, Promise<LoadedGrid>>()

  constructor(host: Host, compile: (form: GridForm) => GridDesign) {
    this.#host = host
    this.#compile = compile
    this.#regions = new Regions(host.memory, 'f64')
  }

  async run(sum: GridSum, points: GridPoints, { signal }: Pick<RunOptions, 'signal'>): Promise<FloatArray> {
    const form = gridForm(sum, this.#host.memory.shared)
    const program = await this.#module(form)
    const { threads } = this.#host
    return this.#host.inOrder(async () => {
      const hasFactors = this.#written === sum
      // If memory runs out, the factors of before may be gone.
      this.#written = undefined
      const arrays = new GridArrays(this.#regions, sum, points, threads, program.design, hasFactors)
      this.#written = sum
      await this.#host.execute(gridJobs(program, arrays), 1, { signal })
      return arrays.found()
    })
  }

  async #module(form: GridForm): Promise<LoadedGrid> {
    const name = JSON.stringify(form)
    const known = this.#modules.get(name) ?? this.#loaded(form, name)
    this.#modules.delete(name)
    this.#modules.set(name, known)
    const [oldest] = this.#modules.keys()
    if (this.#modules.size > mostModules && oldest !== undefined) this.#modules.delete(oldest)
    return known
  }

  #loaded(form: GridForm, name: string): Promise<LoadedGrid> {
    const module = load(this.#compile(form), this.#host.memory, this.#host.pool)
    module.catch(() => {
      if (this.#modules.get(name) === module) this.#modules.delete(name)
    })
    return module
  }
}
