/**
 * The program of a map, cell index or stencil: one pass computes all results, which are then read one by one.
 *
 * @module
 */
import type { ArrayResults, Bindings, DeviceInfo, Report, RunOptions, Shape } from '@manybody/core'
import { reportAfter, reportOf, runRanges } from '@manybody/core/backend'
import { type ElementWorkload, elementDesign } from '../designs/element-design.ts'
import { blamingLoss } from '../host/blame.ts'
import type { GlHost, Sheet } from '../host/host.ts'
import { Inputs } from '../host/inputs.ts'
import type { Sheets } from '../host/memory.ts'
import { Pass } from '../host/pass.ts'
import { WaitEstimate } from '../host/wait-estimate.ts'
import type { ElementPass } from '../loops/element-pass.ts'
import { componentsIn, runValues, type WebglProgram } from './program.ts'

export class ElementProgram implements WebglProgram {
  readonly #host: GlHost
  readonly #sheets: Sheets
  readonly #loop: ElementPass
  readonly #pass: Pass
  readonly #started: number
  readonly #estimate = new WaitEstimate(slowest)
  #report: Report
  readonly resident: Readonly<Record<string, number>>

  constructor(
    host: GlHost,
    sheets: Sheets,
    readonly workload: ElementWorkload,
    readonly shape: Shape,
    info: DeviceInfo,
  ) {
    this.#host = host
    this.#sheets = sheets
    const { loop, resident, variant, accumulation } = elementDesign(workload, shape)
    this.#loop = loop
    this.#started = performance.now()
    this.#pass = new Pass(host, this.#loop.pass, sheets.standIn)
    this.#report = reportOf(info, { variant, accumulation })
    this.resident = componentsIn(resident)
  }

  async ready(): Promise<void> {
    await this.#pass.ready()
    this.#report = reportAfter(this.#report, 0, { compile: performance.now() - this.#started })
  }

  get report(): Report {
    return this.#report
  }

  run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    return blamingLoss(this.#host, () => this.#run(bindings, options), options.signal)
  }

  async #run(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const { signal, onProgress } = options
    runRanges(this.workload, this.shape, options)
    signal?.throwIfAborted()
    this.#host.check()
    const { targets } = this.shape
    const { parts } = this.#loop
    if (targets === 0)
      return Object.fromEntries(Object.keys(parts).map((name) => [name, typed(name, new Float32Array(0))]))
    const inputs = new Inputs(this.#sheets)
    const start = performance.now()
    try {
      const paged = inputs.keep(this.#draw(bindings, inputs))
      await this.#host.finished(() => paged, this.#estimate.expected(targets))
      const computed = performance.now()
      this.#estimate.learn(targets, computed - start)
      const results = Object.entries(parts).map(([name, [offset, components]]) => {
        const numbers = this.#sheets.read(paged, { first: 0, count: targets, offset, components })
        return [name, typed(name, numbers)] as const
      })
      this.#report = reportAfter(this.#report, targets, {
        upload: inputs.upload,
        compute: computed - start - inputs.upload,
        readback: performance.now() - computed,
      })
      onProgress?.(1)
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
