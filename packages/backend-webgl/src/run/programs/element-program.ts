/**
 * The program of a map, cell index or stencil: one pass computes all results, and the results are then read one by one.
 *
 * @module
 */

import type { ArrayResults, Bindings, RunOptions, Shape } from '@manybody/core'
import type { Guarded } from '@manybody/core/backend'
import { playNamed } from '@manybody/core/backend'
import type { ElementDesign, ResultPlace } from '../../design/design.ts'
import type { Sheet } from '../host/host.ts'
import { Pass } from '../host/pass.ts'
import { WaitEstimate } from '../host/wait-estimate.ts'
import { Inputs } from './inputs.ts'
import type { OpenedHost } from './program.ts'
import { ReportingProgram } from './reporting-program.ts'

export class ElementProgram extends ReportingProgram {
  readonly fewer = true
  readonly #design: ElementDesign
  readonly #pass: Pass
  readonly #estimate = new WaitEstimate(slowest)

  /** Starts compiling. */
  constructor(opened: OpenedHost, designs: Guarded<ElementDesign>, shape: Shape, started: number) {
    const design = designs.of()
    super(opened, design, shape, started)
    this.#design = design
    this.#pass = new Pass(opened.host, design.passes[0], opened.sheets.standIn)
  }

  protected compiled(): Promise<void> {
    return this.#pass.ready()
  }

  protected async compute(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    this.ranges(options, bindings)
    const targets = bindings.targets.count
    const { resident } = this.#design
    if (targets === 0)
      return Object.fromEntries(Object.keys(resident).map((name) => [name, typed(name, new Float32Array(0))]))
    const inputs = new Inputs(this.opened.sheets)
    const start = performance.now()
    try {
      const paged = inputs.keep(this.#draw(bindings, inputs))
      await this.opened.host.finished(() => paged, this.#estimate.expected(targets))
      const computed = performance.now()
      this.#estimate.learn(targets, computed - start)
      const results = Object.entries(resident).map(([name, [offset, components]]) => {
        const numbers = this.opened.sheets.read(paged, { first: 0, count: targets, offset, components })
        return [name, typed(name, numbers)] as const
      })
      this.ran(targets, {
        upload: inputs.upload,
        compute: computed - start - inputs.upload,
        readback: performance.now() - computed,
      })
      options.onProgress?.(1)
      return Object.fromEntries(results)
    } finally {
      inputs.dispose()
    }
  }

  submit(bindings: Bindings, names: readonly string[]): Readonly<Record<string, Sheet>> {
    const inputs = new Inputs(this.opened.sheets)
    try {
      const paged = inputs.keep(this.#draw(bindings, inputs))
      return Object.fromEntries(
        names.map((name) => {
          const [offset, components] = this.#design.resident[name] as ResultPlace
          return [name, this.opened.sheets.flatten(paged, { first: 0, count: this.shape.targets, offset, components })]
        }),
      )
    } finally {
      inputs.dispose()
    }
  }

  dispose(): void {
    this.#pass.dispose()
  }

  #draw({ targets, sources, parameters }: Bindings, inputs: Inputs): Sheet {
    const { arrays, gathered, run, parameters: own } = this.#design
    const of = (n: number) => (n < arrays.length - gathered ? targets : sources).arrays
    return this.#pass.run({
      textures: Object.fromEntries(arrays.map((name, n) => [`array${n}`, inputs.sheet(of(n)[name])])),
      values: playNamed(run, { ...own, ...parameters }),
    })
  }
}

/** Elements per millisecond that every device manages, even without a GPU. */
const slowest = 2 ** 14

/** Cell numbers become integers; other results stay as they are. */
const typed = (name: string, numbers: Float32Array): Float32Array | Int32Array =>
  name === 'index' ? Int32Array.from(numbers) : numbers
