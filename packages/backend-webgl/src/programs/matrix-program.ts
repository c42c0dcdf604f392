/**
 * The program of an interaction matrix: computes and reads one block of rows after another, because the whole matrix may not
 * fit a texture.
 *
 * @module
 */
import type { ArrayResults, Bindings, DeviceInfo, PairWorkload, RunOptions, Shape } from '@manybody/core'
import type { Guarded } from '@manybody/core/backend'
import { lengthOf, reportOf, runRanges } from '@manybody/core/backend'
import { matrixRowsOf } from '../designs/pair-design.ts'
import type { GlHost, Sheet } from '../host/host.ts'
import { Inputs } from '../host/inputs.ts'
import type { Sheets } from '../host/memory.ts'
import { WaitEstimate } from '../host/wait-estimate.ts'
import { quadsOf } from '../loops/matrix-loop.ts'
import { type CompiledPair, compiledPair } from './compile.ts'
import { pairInputs } from './pair-inputs.ts'
import type { WebglProgram } from './program.ts'
import { ReportingProgram } from './reporting-program.ts'

/** Terms per millisecond that every device manages, even without a GPU. */
const slowest = 2 ** 14

export class MatrixProgram extends ReportingProgram<PairWorkload> implements WebglProgram {
  readonly #compiled: Guarded<CompiledPair>
  readonly #sheets: Sheets
  readonly #estimate = new WaitEstimate(slowest)
  readonly #first: CompiledPair
  readonly resident: Readonly<Record<string, number>> = {}

  constructor(host: GlHost, sheets: Sheets, workload: PairWorkload, shape: Shape, info: DeviceInfo) {
    const started = performance.now()
    const compiled = compiledPair(sheets, workload, shape)
    const first = compiled.of()
    super(host, workload, shape, reportOf(info, first.design), started)
    this.#sheets = sheets
    this.#compiled = compiled
    this.#first = first
  }

  protected compiled(): Promise<void> {
    return this.#first.ready()
  }

  protected async compute(bindings: Bindings, { signal, onProgress, ...options }: RunOptions): Promise<ArrayResults> {
    const ranges = runRanges(this.workload, this.shape, options)
    const { sources } = this.shape
    const [firstTarget, lastTarget] = ranges.targets
    const [first, last] = ranges.sources
    const given = options.into?.value as Float32Array | undefined
    const value = given ?? new Float32Array(lengthOf(ranges.targets) * sources)
    if (options.initial?.value) value.set(options.initial.value)
    else given?.fill(0)
    if (value.length === 0 || first >= last) {
      this.ran(0)
      return { value }
    }
    await this.#compiled.of(bindings.parameters).ready()
    const inputs = new Inputs(this.#sheets)
    const begun = performance.now()
    let readback = 0
    try {
      const { draw, stride } = this.#bind(bindings, inputs)
      const rows = matrixRowsOf(this.shape)
      for (let from = firstTarget; from < lastTarget; from += rows) {
        signal?.throwIfAborted()
        const to = Math.min(from + rows, lastTarget)
        const start = performance.now()
        const block = draw({ firstTarget: from, lastTarget: to, first, last })
        try {
          const terms = (to - from) * stride
          await this.host.finished(() => block, this.#estimate.expected(terms))
          const read = performance.now()
          this.#estimate.learn(terms, read - start)
          const numbers = this.host.read(block, terms)
          for (let t = from; t < to; t++)
            value.set(
              numbers.subarray((t - from) * stride + first, (t - from) * stride + last),
              (t - firstTarget) * sources + first,
            )
          readback += performance.now() - read
        } finally {
          block.texture.delete()
        }
        onProgress?.((to - firstTarget) / (lastTarget - firstTarget))
      }
      const interactions = (lastTarget - firstTarget) * (last - first)
      const compute = performance.now() - begun - inputs.upload - readback
      this.ran(interactions, { upload: inputs.upload, compute, readback })
      return { value }
    } finally {
      inputs.dispose()
    }
  }

  submit(): never {
    throw new TypeError('Cannot use a matrix as a stage: it may not fit one buffer; use a sum over the same term')
  }

  dispose(): void {
    for (const compiled of this.#compiled.release()) compiled.dispose()
  }

  #bind(
    bindings: Bindings,
    inputs: Inputs,
  ): { readonly draw: (values: Readonly<Record<string, number>>) => Sheet; readonly stride: number } {
    const compiled = this.#compiled.of(bindings.parameters)
    const { textures, values: always } = pairInputs(compiled, bindings, inputs)
    return {
      draw: (values) => compiled.loop.run({ textures, values: { ...always, ...values } }),
      stride: 4 * quadsOf(this.shape.sources),
    }
  }
}
