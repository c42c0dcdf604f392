/**
 * The program of a sum or another reduction over pairs: packs the sources once, then folds one slice of them after another.
 * States stay on the device between slices.
 *
 * @module
 */
import type { ArrayResults, Bindings, DeviceInfo, PairWorkload, Range, RunOptions, Shape } from '@manybody/core'
import type { Guarded } from '@manybody/core/backend'
import { lengthOf, type RunRanges, reportOf, runRanges } from '@manybody/core/backend'
import type { ResultPlace } from '../designs/design.ts'
import type { Fold } from '../folds/fold.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { packPaged, pagedSize, pagesFor } from '../glsl/layout.ts'
import type { GlHost, Sheet } from '../host/host.ts'
import { Inputs } from '../host/inputs.ts'
import type { Sheets } from '../host/memory.ts'
import { type CompiledPair, compiledPair } from './compile.ts'
import { pairInputs } from './pair-inputs.ts'
import { componentsIn, type WebglProgram } from './program.ts'
import { ReportingProgram } from './reporting-program.ts'
import { Slicer } from './slices.ts'

export class PairProgram extends ReportingProgram<PairWorkload> implements WebglProgram {
  readonly #sheets: Sheets
  readonly #compiled: Guarded<CompiledPair>
  readonly #slicer: Slicer
  readonly #first: CompiledPair
  readonly resident: Readonly<Record<string, number>>

  /** Starts compiling for the workload's own parameters. */
  constructor(
    host: GlHost,
    sheets: Sheets,
    workload: PairWorkload,
    shape: Shape,
    info: DeviceInfo,
    dialect: Dialect = host.dialect,
  ) {
    const started = performance.now()
    const compiled = compiledPair(sheets, workload, shape, dialect)
    const first = compiled.of()
    super(host, workload, shape, reportOf(info, first.design), started)
    this.#sheets = sheets
    this.#compiled = compiled
    this.#slicer = new Slicer(host)
    this.#first = first
    this.resident = componentsIn(first.design.resident)
  }

  protected compiled(): Promise<void> {
    return this.#first.ready()
  }

  protected async compute(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const { targets, sources } = runRanges(this.workload, this.shape, options)
    const rows = lengthOf(targets)
    const compiled = this.#compiled.of(bindings.parameters)
    const fold = compiled.design.fold as Fold
    if (rows === 0) {
      this.ran(0)
      return fold.results(() => new Float32Array(0))
    }
    await compiled.ready()
    const start = performance.now()
    const inputs = new Inputs(this.#sheets)
    let pending: Pending | undefined
    try {
      const run = this.#bind(compiled, bindings, inputs, targets)
      pending = run
      if (options.initial || lengthOf(sources) === 0) run.state = this.#before(fold, targets, options.initial)
      await this.#slicer.run(sources, rows, (slice) => run.draw(slice), options)
      const computed = performance.now()
      const state = run.state as Sheet
      const results = fold.results((offset, components) =>
        this.#sheets.read(state, { first: targets[0], count: rows, offset, components }),
      )
      this.ran(rows * lengthOf(sources), {
        upload: inputs.upload,
        compute: computed - start - inputs.upload,
        readback: performance.now() - computed,
      })
      return results
    } finally {
      pending?.state?.texture.delete()
      inputs.dispose()
    }
  }

  submit(
    bindings: Bindings,
    names: readonly string[],
    { targets, sources }: RunRanges,
  ): Readonly<Record<string, Sheet>> {
    const compiled = this.#compiled.of(bindings.parameters)
    const fold = compiled.design.fold as Fold
    const inputs = new Inputs(this.#sheets)
    try {
      const pending = this.#bind(compiled, bindings, inputs, targets)
      const state = inputs.keep(lengthOf(sources) > 0 ? pending.draw(sources) : this.#before(fold, targets))
      return Object.fromEntries(
        names.map((name) => {
          const [offset, components, unbounded = false] = fold.resident[name] as ResultPlace
          const part = { first: targets[0], count: lengthOf(targets), offset, components }
          return [name, { ...this.#sheets.flatten(state, part), unbounded }]
        }),
      )
    } finally {
      inputs.dispose()
    }
  }

  dispose(): void {
    for (const compiled of this.#compiled.release()) compiled.dispose()
  }

  /** Uploads the bound arrays; each `draw` then folds one slice of sources into the state. */
  #bind(compiled: CompiledPair, bindings: Bindings, inputs: Inputs, [firstTarget, lastTarget]: Range): Pending {
    const { loop } = compiled
    const { textures, values } = pairInputs(compiled, bindings, inputs)
    const standIn = this.#sheets.standIn
    return {
      state: undefined,
      draw([first, last]) {
        const previous = this.state
        this.state = loop.run({
          textures: { ...textures, previous: previous ?? standIn },
          values: { ...values, firstTarget, lastTarget, first, last, resume: previous ? 1 : 0 },
        })
        previous?.texture.delete()
        return this.state
      },
    }
  }

  /** The state before the first slice, made from results of earlier ranges. */
  #before(fold: Fold, [first, last]: Range, initial?: ArrayResults): Sheet {
    const { targets } = this.shape
    const packed = packPaged(targets, fold.components, (t, c) =>
      fold.before(t >= first && t < last ? t - first : Number.NaN, c, initial),
    )
    return this.#sheets.upload(packed, pagedSize(targets, pagesFor(fold.components)))
  }
}

interface Pending {
  /** The state of all targets after the latest slice. */
  state: Sheet | undefined
  draw(slice: Range): Sheet
}
