/**
 * The program of a sum or another reduction over pairs: packs the sources once, then folds one slice of them after another.
 * States stay on the device between slices.
 *
 * @module
 */
import type { ArrayResults, Bindings, Range, RunOptions, Shape } from '@manybody/core'
import { type Guarded, lengthOf, type RunRanges, workPerPair } from '@manybody/core/backend'
import type { PairDesign, ResultPlace } from '../../design/design.ts'
import { packPaged, pagedSize, pagesFor } from '../../design/layout.ts'
import { type FoldStates, statesOf } from '../folds/states.ts'
import type { Sheet } from '../host/host.ts'
import { type CompiledPair, compilePair } from './compiled-pair.ts'
import { Inputs } from './inputs.ts'
import { pairInputs } from './pair-inputs.ts'
import type { OpenedHost } from './program.ts'
import { ReportingProgram } from './reporting-program.ts'
import { Slicer } from './slicer.ts'

/** The passes for one guard, and the reader of their states. */
type Compiled = CompiledPair<PairDesign> & { readonly states: FoldStates }

export class PairProgram extends ReportingProgram {
  readonly fewer = true
  readonly #compiled: Guarded<Compiled>
  readonly #slicer: Slicer
  readonly #first: Compiled

  /** Starts compiling for the workload's own parameters. */
  constructor(opened: OpenedHost, designs: Guarded<PairDesign>, shape: Shape, started: number) {
    super(opened, designs.of(), shape, started)
    this.#compiled = designs.map((design) => ({
      ...compilePair(opened.sheets, design),
      states: statesOf(design.state),
    }))
    this.#slicer = new Slicer(opened.host, workPerPair(shape.lengths))
    this.#first = this.#compiled.of()
  }

  protected compiled(): Promise<void> {
    return this.#first.ready()
  }

  protected async compute(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const { targets, sources } = this.ranges(options, bindings)
    const rows = lengthOf(targets)
    const compiled = this.#compiled.of(bindings.parameters)
    const { states } = compiled
    if (rows === 0) {
      this.ran(0)
      return states.results(() => new Float32Array(0))
    }
    await compiled.ready()
    const start = performance.now()
    const inputs = new Inputs(this.opened.sheets)
    let pending: Pending | undefined
    try {
      const run = this.#bind(compiled, bindings, inputs, targets)
      pending = run
      if (options.initial || lengthOf(sources) === 0) run.state = this.#before(compiled, targets, options.initial)
      await this.#slicer.run(sources, rows, (slice) => run.draw(slice), options)
      const computed = performance.now()
      const state = run.state as Sheet
      const results = states.results((offset, components) =>
        this.opened.sheets.read(state, { first: targets[0], count: rows, offset, components }),
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
    const inputs = new Inputs(this.opened.sheets)
    try {
      const pending = this.#bind(compiled, bindings, inputs, targets)
      const [first, last] = targets
      // Runs over fewer points than the program has fill sheets of the same size, so that they compile nothing.
      const count = last === bindings.targets.count ? this.shape.targets - first : last - first
      const state = inputs.keep(lengthOf(sources) > 0 ? pending.draw(sources) : this.#before(compiled, targets))
      return Object.fromEntries(
        names.map((name) => {
          const [offset, components, unbounded = false] = compiled.design.resident[name] as ResultPlace
          const part = { first, count, offset, components }
          return [name, { ...this.opened.sheets.flatten(state, part), unbounded }]
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
    const standIn = this.opened.sheets.standIn
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
  #before({ design, states }: Compiled, [first, last]: Range, initial?: ArrayResults): Sheet {
    const { targets } = this.shape
    const { components } = design.state
    const packed = packPaged(targets, components, (t, c) =>
      states.before(t >= first && t < last ? t - first : Number.NaN, c, initial),
    )
    return this.opened.sheets.upload(packed, pagedSize(targets, pagesFor(components)))
  }
}

interface Pending {
  /** The state of all targets after the latest slice. */
  state: Sheet | undefined
  draw(slice: Range): Sheet
}
