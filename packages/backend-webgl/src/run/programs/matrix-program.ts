/**
 * The program of an interaction matrix: computes and reads one block of rows after another, because the whole matrix may not
 * fit a texture.
 *
 * @module
 */
import type { ArrayResults, Bindings, RunOptions, Shape } from '@manybody/core'
import { type Guarded, lengthOf, workPerPair } from '@manybody/core/backend'
import type { MatrixDesign } from '../../design/design.ts'
import type { Sheet } from '../host/host.ts'
import { WaitEstimate } from '../host/wait-estimate.ts'
import { type CompiledPair, compilePair } from './compiled-pair.ts'
import { Inputs } from './inputs.ts'
import { pairInputs } from './pair-inputs.ts'
import type { OpenedHost } from './program.ts'
import { ReportingProgram } from './reporting-program.ts'

/** Terms per millisecond that every device manages, even without a GPU. */
const slowest = 2 ** 14

type Compiled = CompiledPair<MatrixDesign>

export class MatrixProgram extends ReportingProgram {
  readonly #compiled: Guarded<Compiled>
  readonly #estimate: WaitEstimate
  readonly #first: Compiled

  /** Starts compiling for the workload's own parameters. */
  constructor(opened: OpenedHost, designs: Guarded<MatrixDesign>, shape: Shape, started: number) {
    super(opened, designs.of(), shape, started)
    this.#compiled = designs.map((design) => compilePair(opened.sheets, design))
    this.#first = this.#compiled.of()
    this.#estimate = new WaitEstimate(slowest / workPerPair(shape.lengths))
  }

  protected compiled(): Promise<void> {
    return this.#first.ready()
  }

  protected async compute(bindings: Bindings, { signal, onProgress, ...options }: RunOptions): Promise<ArrayResults> {
    const ranges = this.ranges(options, bindings)
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
    const inputs = new Inputs(this.opened.sheets)
    const begun = performance.now()
    let readback = 0
    try {
      const { draw, rows, stride } = this.#bind(bindings, inputs)
      for (let from = firstTarget; from < lastTarget; from += rows) {
        signal?.throwIfAborted()
        const to = Math.min(from + rows, lastTarget)
        const start = performance.now()
        const block = draw({ firstTarget: from, lastTarget: to, first, last })
        try {
          const terms = (to - from) * stride
          await this.opened.host.finished(() => block, this.#estimate.expected(terms))
          const read = performance.now()
          this.#estimate.learn(terms, read - start)
          const numbers = this.opened.host.read(block, terms)
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
  ): Pick<MatrixDesign, 'rows' | 'stride'> & { readonly draw: (values: Readonly<Record<string, number>>) => Sheet } {
    const compiled = this.#compiled.of(bindings.parameters)
    const { textures, values: always } = pairInputs(compiled, bindings, inputs)
    const { rows, stride } = compiled.design
    return { draw: (values) => compiled.loop.run({ textures, values: { ...always, ...values } }), rows, stride }
  }
}
