/**
 * The program of a map, cell index or stencil: one pass computes all results, which are then read one by one.
 *
 * @module
 */
import type { ArrayResults, Bindings, DeviceInfo, RunOptions, Shape } from '@manybody/core'
import { reportOf, runRanges } from '@manybody/core/backend'
import { type ElementWorkload, elementDesign } from '../designs/element-design.ts'
import type { GlHost, Sheet } from '../host/host.ts'
import { Inputs } from '../host/inputs.ts'
import type { Sheets } from '../host/memory.ts'
import { Pass } from '../host/pass.ts'
import { WaitEstimate } from '../host/wait-estimate.ts'
import type { ElementPass } from '../loops/element-pass.ts'
import { componentsIn, runValues, type WebglProgram } from './program.ts'
import { ReportingProgram } from './reporting-program.ts'

export class ElementProgram extends ReportingProgram<ElementWorkload> implements WebglProgram {
  readonly #sheets: Sheets
  readonly #loop: ElementPass
  readonly #pass: Pass
  readonly #estimate = new WaitEstimate(slowest)
  readonly resident: Readonly<Record<string, number>>

  constructor(host: GlHost, sheets: Sheets, workload: ElementWorkload, shape: Shape, info: DeviceInfo) {
    const design = elementDesign(workload, shape)
    super(host, workload, shape, reportOf(info, design), performance.now())
    this.#sheets = sheets
    this.#loop = design.loop
    this.#pass = new Pass(host, design.loop.pass, sheets.standIn)
    this.resident = componentsIn(design.resident)
  }

  protected compiled(): Promise<void> {
    return this.#pass.ready()
  }

  protected async compute(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    runRanges(this.workload, this.shape, options)
    const { targets } = this.shape
    const { parts } = this.#loop
    if (targets === 0)
      return Object.fromEntries(Object.keys(parts).map((name) => [name, typed(name, new Float32Array(0))]))
    const inputs = new Inputs(this.#sheets)
    const start = performance.now()
    try {
      const paged = inputs.keep(this.#draw(bindings, inputs))
      await this.host.finished(() => paged, this.#estimate.expected(targets))
      const computed = performance.now()
      this.#estimate.learn(targets, computed - start)
      const results = Object.entries(parts).map(([name, [offset, components]]) => {
        const numbers = this.#sheets.read(paged, { first: 0, count: targets, offset, components })
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
    const inputs = new Inputs(this.#sheets)
    try {
      const paged = inputs.keep(this.#draw(bindings, inputs))
      return Object.fromEntries(
        names.map((name) => {
          const [offset, components] = this.#loop.parts[name] as readonly [number, number]
          return [name, this.#sheets.flatten(paged, { first: 0, count: this.shape.targets, offset, components })]
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
    const { arrays, gathered, body, parameters: own } = this.#loop
    const of = (n: number) => (n < arrays.length - gathered ? targets : sources).arrays
    return this.#pass.run({
      textures: Object.fromEntries(arrays.map((name, n) => [`array${n}`, inputs.sheet(of(n)[name])])),
      values: runValues(body.run, { ...own, ...parameters }),
    })
  }
}

/** Elements per millisecond that every device manages, even without a GPU. */
const slowest = 2 ** 14

/** Cell numbers become integers; other results stay as they are. */
const typed = (name: string, numbers: Float32Array): Float32Array | Int32Array =>
  name === 'index' ? Int32Array.from(numbers) : numbers
