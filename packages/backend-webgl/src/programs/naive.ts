/**
 * The naive variant: a kernel as the documentation of gpu.js suggests it, with flat arrays and a loop in JavaScript, which
 * gpu.js transpiles. Benchmarks compare the other variant with it. It computes whole sums without conditions only.
 *
 * @module
 */
import type {
  ArrayResults,
  Bindings,
  DeviceInfo,
  FloatArray,
  PairWorkload,
  Program,
  Report,
  RunOptions,
  Shape,
} from '@manybody/core'
import {
  accumulationIn,
  axesOf,
  needsGuard,
  type PairBody,
  pairBody,
  reportAfter,
  reportOf,
} from '@manybody/core/backend'
import {
  type Binding,
  type Expr,
  infixLanguage,
  numericNames,
  render,
  type Spellings,
  usualSpellings,
} from '@manybody/core/expression'
import { blamingLoss } from '../host/blame.ts'
import { CheckedKernel } from '../host/checked-kernel.ts'
import type { GlHost } from '../host/host.ts'
import { namesIn } from '../loops/pair-texts.ts'
import { runValues } from './program.ts'

/** Why the naive variant cannot run a workload; undefined if it can. */
export function naiveGap({ reduction, domain, total }: PairWorkload, components: number): string | undefined {
  const plain = reduction === 'sum' && !total && !domain.cutoff && domain.exclusions.length === 0
  return plain && domain.boundary.kind === 'open' && components <= 4
    ? undefined
    : 'the variant "naive" is for plain sums of up to 4 components; use "texture-loop"'
}

/** The kernel as JavaScript for gpu.js. */
export function naiveSource(body: PairBody, dimension: number): string {
  const axes = axesOf(dimension)
  const { targets, sources } = body.attributes
  const names = namesIn(body)
  const language = javascript((name) => names.get(name) ?? name)
  const text = (e: Expr): string => render(e, language).text
  const components = body.form === 'radial' ? axes.map((a) => `coefficient * d${a}`) : body.terms.map(text)
  const bind = ({ name, expr }: Binding) => `const ${name} = ${text(expr)};`
  const skip = body.skipSelf ? 'if (j !== i) ' : ''
  const scale = body.scale ? `${text(body.scale)}` : '1'
  const results = components.map((_, c) => `(${scale}) * total${c}`)
  const position = (side: 'target' | 'source', index: string) =>
    axes.map((a, k) => `const ${a}${index} = ${side}Position[${dimension} * ${index} + ${k}];`)
  return `function (${argumentsOf(body).join(', ')}) {
  const i = this.thread.x;
  ${position('target', 'i').join('\n  ')}
  ${targets.map((_, n) => `const ofTarget${n} = targetAttribute${n}[i];`).join('\n  ')}
  ${body.target.map(bind).join('\n  ')}
  ${components.map((_, c) => `let total${c} = 0;`).join('\n  ')}
  for (let j = 0; j < this.constants.sources; j++) {
    ${position('source', 'j').join('\n    ')}
    ${sources.map((_, n) => `const ofSource${n} = sourceAttribute${n}[j];`).join('\n    ')}
    ${[...body.source, ...body.loop].map(bind).join('\n    ')}
    ${body.form === 'radial' ? `const coefficient = ${text(body.terms[0] as Expr)};` : ''}
    ${components.map((term, c) => `${skip}total${c} += ${term};`).join('\n    ')}
  }
  return ${results.length === 1 ? results[0] : `[${results.join(', ')}]`};
}`.replaceAll(/\n\s*\n/g, '\n')
}

function argumentsOf({ attributes, run }: PairBody): readonly string[] {
  return [
    'targetPosition',
    ...attributes.targets.map((_, n) => `targetAttribute${n}`),
    'sourcePosition',
    ...attributes.sources.map((_, n) => `sourceAttribute${n}`),
    ...run.map(({ name }) => name),
  ]
}

const missing = (name: string) => (): string => {
  throw new RangeError(
    `Cannot write "${name}" for gpu.js: JavaScript has no such function; use the variant "texture-loop"`,
  )
}

const calls: Spellings = {
  ...usualSpellings,
  ...Object.fromEntries(numericNames.map((name) => [name, name in Math ? `Math.${name}` : missing(name)])),
  step: (x) => `(${x} >= 0 ? 1 : 0)`,
  select: (when, a, b) => `(${when} ? ${a} : ${b})`,
  equal: '===',
}

const javascript = (symbol: (name: string) => string) =>
  infixLanguage({
    constant: String,
    symbol,
    power: (base, exponent) => {
      if (exponent === 0.5) return `Math.sqrt(${base})`
      return exponent === -0.5 ? `(1 / Math.sqrt(${base}))` : `Math.pow(${base}, ${exponent})`
    },
    call: calls,
  })

export class NaiveProgram implements Program {
  readonly #kernel: CheckedKernel
  readonly #body: PairBody
  readonly #started = performance.now()
  #report: Report
  /** No result can stay on the device. */
  readonly resident = {}

  /** @throws {@link ProgramCompilationError} */
  constructor(
    readonly host: GlHost,
    readonly workload: PairWorkload,
    readonly shape: Shape,
    info: DeviceInfo,
  ) {
    const guard = needsGuard(workload, shape.dimension)
    this.#body = pairBody(workload, shape, { guard, factorOut: true })
    const source = naiveSource(this.#body, shape.dimension)
    const settings = { output: [shape.targets], constants: { sources: shape.sources } }
    this.#kernel = new CheckedKernel(host, source, settings, standInsFor(this.#body, shape), source)
    this.#report = reportOf(info, { variant: 'naive', accumulation: accumulationIn(workload, 'running') })
  }

  async ready(): Promise<void> {
    await this.#kernel.ready()
    this.#report = reportAfter(this.#report, 0, { compile: performance.now() - this.#started })
  }

  get report(): Report {
    return this.#report
  }

  run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    return blamingLoss(this.host, () => this.#run(bindings, options), options.signal)
  }

  async #run(bindings: Bindings, { signal, sources, targets, initial }: RunOptions): Promise<ArrayResults> {
    signal?.throwIfAborted()
    if (sources || targets || initial)
      throw new TypeError('Cannot run part of a sum with the variant "naive": it takes no ranges; use "texture-loop"')
    const { attributes, run } = this.#body
    const float32 = (array: unknown) => Float32Array.from(array as FloatArray)
    const values = runValues(run, bindings.parameters)
    const start = performance.now()
    const rows = this.#kernel.run(
      float32(bindings.targets.arrays.position),
      ...attributes.targets.map((name) => float32(bindings.targets.arrays[name])),
      float32(bindings.sources.arrays.position),
      ...attributes.sources.map((name) => float32(bindings.sources.arrays[name])),
      ...run.map(({ name }) => values[name]),
    ) as ArrayLike<number | ArrayLike<number>>
    const pairs = this.shape.targets * this.shape.sources
    // gpu.js uploads, draws and reads in one call, so all its time counts as compute. It does not report a failed read.
    const times = { upload: 0, compute: performance.now() - start, readback: 0 }
    if (!this.host.answers())
      throw new Error('Cannot read results: the WebGL context does not answer; open the device again')
    this.#report = reportAfter(this.#report, pairs, times)
    const value = Float32Array.from(Array.from<number | ArrayLike<number>>(rows).flatMap(numbersOf))
    return { [this.workload.results[0] ?? 'value']: value }
  }

  dispose(): void {
    this.#kernel.dispose()
  }
}

/** Arguments of the same types and lengths as those of runs. */
function standInsFor({ attributes, run }: PairBody, { dimension, targets, sources }: Shape): readonly unknown[] {
  return [
    new Float32Array(dimension * targets),
    ...attributes.targets.map(() => new Float32Array(targets)),
    new Float32Array(dimension * sources),
    ...attributes.sources.map(() => new Float32Array(sources)),
    ...run.map(() => 0.5),
  ]
}

const numbersOf = (row: number | ArrayLike<number>): number[] => (typeof row === 'number' ? [row] : Array.from(row))
