/**
 * The program of the naive variant: one call of gpu.js uploads, computes and reads.
 *
 * @module
 */

import type { ArrayResults, Bindings, FloatArray, RunOptions, Shape } from '@manybody/core'
import type { Guarded } from '@manybody/core/backend'
import { playNamed } from '@manybody/core/backend'
import type { NaiveDesign } from '../../design/design.ts'
import { CheckedKernel } from '../host/checked-kernel.ts'
import type { OpenedHost } from './program.ts'
import { ReportingProgram } from './reporting-program.ts'

interface CompiledNaive {
  readonly design: NaiveDesign
  readonly kernel: CheckedKernel
}

export class NaiveProgram extends ReportingProgram {
  readonly #compiled: Guarded<CompiledNaive>
  readonly #first: CompiledNaive

  /** @throws {@link ProgramCompilationError} */
  constructor(opened: OpenedHost, designs: Guarded<NaiveDesign>, shape: Shape, started: number) {
    super(opened, designs.of(), shape, started)
    const settings = { output: [shape.targets], constants: { sources: shape.sources } }
    this.#compiled = designs.map((design) => {
      const { source } = design
      return { design, kernel: new CheckedKernel(opened.host, source, settings, standInsFor(design, shape), source) }
    })
    this.#first = this.#compiled.of()
  }

  protected compiled(): Promise<void> {
    return this.#first.kernel.ready()
  }

  protected async compute(bindings: Bindings, { sources, targets, initial }: RunOptions): Promise<ArrayResults> {
    if (sources || targets || initial)
      throw new TypeError('Cannot run part of a sum with the variant "naive": it takes no ranges; use "texture-loop"')
    const { design, kernel } = this.#compiled.of(bindings.parameters)
    await kernel.ready()
    const { attributes, run, result } = design
    const float32 = (array: unknown) => Float32Array.from(array as FloatArray)
    const values = playNamed(run, bindings.parameters)
    const start = performance.now()
    const rows = kernel.run(
      float32(bindings.targets.arrays.position),
      ...attributes.targets.map((name) => float32(bindings.targets.arrays[name])),
      float32(bindings.sources.arrays.position),
      ...attributes.sources.map((name) => float32(bindings.sources.arrays[name])),
      ...run.names.map((name) => values[name]),
    ) as ArrayLike<number | ArrayLike<number>>
    const pairs = this.shape.targets * this.shape.sources
    // gpu.js uploads, draws and reads in one call, so all its time counts as compute. It does not report a failed read.
    const times = { upload: 0, compute: performance.now() - start, readback: 0 }
    if (!this.opened.host.answers())
      throw new Error('Cannot read results: the WebGL context does not answer; open the device again')
    this.ran(pairs, times)
    const value = Float32Array.from(Array.from<number | ArrayLike<number>>(rows).flatMap(numbersOf))
    return { [result]: value }
  }

  submit(): never {
    throw new TypeError('Cannot use the variant "naive" as a stage: its results leave the device; use "texture-loop"')
  }

  dispose(): void {
    for (const { kernel } of this.#compiled.release()) kernel.dispose()
  }
}

/** Arguments of the same types and lengths as those of runs. */
function standInsFor({ attributes, run }: NaiveDesign, { dimension, targets, sources }: Shape): readonly unknown[] {
  return [
    new Float32Array(dimension * targets),
    ...attributes.targets.map(() => new Float32Array(targets)),
    new Float32Array(dimension * sources),
    ...attributes.sources.map(() => new Float32Array(sources)),
    ...run.names.map(() => 0.5),
  ]
}

const numbersOf = (row: number | ArrayLike<number>): number[] => (typeof row === 'number' ? [row] : Array.from(row))
