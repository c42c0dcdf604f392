// Judges a device by problems that nobody thought of (problem.ts): its results must equal the reference's, as far as the problem itself
// decides them. Numbers may differ by the effect of rounding the inputs, and by some digits. Errors that no rounding explains, such as a
// missing pair or a wrong branch, are far larger.

import type {
  ArrayResults,
  Bindings,
  Device,
  PairWorkload,
  Particles,
  Plan,
  Precision,
  Program,
  Shape,
  Workload,
} from '@manybody/core'
import { type BlockRanges, type Bound, bind, type Truth, truthOf, withRanges } from '@manybody/core/judge'
import { Dice } from './dice.ts'
import type { RandomProblem } from './problem.ts'

/**
 * The allowed error of a device, relative to the scale of a result, and the rounding of inputs. `perMille` is how many numbers in a
 * thousand may be beyond, because a comparison fell otherwise. `wholePerMille` is the same for whole numbers, where terms may also be equal
 * in float32.
 */
const allowances = {
  f64: { error: 1e-9, rounding: 4e-15, perMille: 0, wholePerMille: 0 },
  f32: { error: 3e-4, rounding: 3e-7, perMille: 4, wholePerMille: 60 },
} as const

interface Trial {
  readonly plan?: Plan | undefined
  /** How many targets to compare; all by default. */
  readonly sample?: number
  /** The only sources that blocks of targets meet. */
  readonly ranges?: BlockRanges
  /** Whether to wait for the loop that later runs of a program take, if the device compiles it meanwhile. */
  readonly tuned?: boolean
}

/** The faults, one sentence each; undefined if the device refuses the problem. */
export async function faultsOf(
  device: Device,
  problem: RandomProblem,
  { plan, sample = Number.POSITIVE_INFINITY, ranges, tuned = false }: Trial = {},
): Promise<readonly string[] | undefined> {
  const { workload } = problem
  const { precision } = device.info
  const particles = changed(problem.particles, (x) => (precision === 'f32' ? Math.fround(x) : x))
  const bound = (points: Particles) => {
    const all = bind(workload, points)
    return ranges ? withRanges(all, ranges) : all
  }
  const { shape, bindings } = bound(particles)
  if (!device.supports(workload, shape).ok) return undefined
  const program = await device.prepare(workload, shape, plan)
  if (tuned) await (program as { readonly tune?: () => Promise<void> }).tune?.()
  const { results, faults } = await runInRanges(program, problem, shape, bindings)
  const targets = workload.loop === 'pair' && shape.targets > sample ? spacedOut(shape.targets, sample) : undefined
  program.dispose()
  const wrong = faultsIn(results, bound, particles, precision, targets)
  return [...faults, ...wrong].map((f) => `${program.report.variant}: ${f}`)
}

/**
 * The faults of results, one sentence each.
 *
 * @param bound the run for some particles, which gives the truth
 * @param targets those to compare; all by default
 */
export function faultsIn(
  results: Readonly<Record<string, readonly number[]>>,
  bound: (particles: Particles) => Bound,
  particles: Particles,
  precision: Precision,
  targets?: readonly number[],
): readonly string[] {
  const { workload, shape, bindings } = bound(particles)
  const truth = withSummands(workload, (law) =>
    truthOf(law, shape, bindings, { precision, ...(targets ? { targets } : {}) }),
  )
  let changes: Changes | undefined
  /** Only few results are so far from the truth that rounded inputs must explain them. */
  const changesFor = (name: string) => {
    changes ??= changesOf(bound, particles, truth, precision, targets)
    return changes[name] ?? []
  }
  const tied: Tie = (place, index, right) =>
    isTie({ workload, shape, bindings }, targets?.[place] ?? place, index, right)
  const wrong = Object.keys(truth.results).map((name) =>
    differenceOf(
      name,
      ofTargets(results[name] ?? [], shape.targets, targets),
      truth,
      () => changesFor(name),
      precision,
      tied,
    ),
  )
  return wrong.filter((fault) => fault !== undefined)
}

/**
 * The truth, with a scale that includes the summands. A term shifted to 0 at the cutoff is a difference. Its parts may be arbitrarily large
 * while it is 0.
 */
function withSummands<W extends Workload>(workload: W, truthOf: (workload: W) => Truth): Truth {
  const truth = truthOf(workload)
  const cutoff = workload.loop === 'pair' ? workload.domain.cutoff : undefined
  if (workload.loop !== 'pair' || !cutoff?.shift) return truth
  const whole = { ...workload, domain: { ...workload.domain, cutoff: { ...cutoff, shift: false } } }
  const { scales } = truthOf(whole)
  return {
    ...truth,
    scales: Object.fromEntries(
      Object.entries(truth.scales).map(([name, own]) => [
        name,
        Float64Array.from(own, (scale, n) => Math.abs(scale) + Math.abs(scales[name]?.[n] ?? 0)),
      ]),
    ),
  }
}

/** Some targets, including the first and the last. */
const spacedOut = (count: number, some: number): readonly number[] =>
  Array.from({ length: some }, (_, n) => Math.round((n * (count - 1)) / (some - 1)))

function ofTargets(all: readonly number[], count: number, targets: readonly number[] | undefined): readonly number[] {
  const width = all.length / count
  return targets ? targets.flatMap((t) => all.slice(t * width, (t + 1) * width)) : all
}

/** Runs each range of targets over all ranges of sources, and collects wrong statements of the reports. */
export async function runInRanges(
  program: Program,
  { workload, ...ranges }: RandomProblem,
  shape: Shape,
  bindings: Bindings,
): Promise<{ readonly results: Record<string, number[]>; readonly faults: readonly string[] }> {
  const results: Record<string, number[]> = {}
  const faults: string[] = []
  const parted = ranges.targets !== undefined || ranges.sources !== undefined
  for (const targets of ranges.targets ?? [[0, shape.targets] as const]) {
    let initial: ArrayResults | undefined
    for (const sources of ranges.sources ?? [[0, shape.sources] as const]) {
      initial = await program.run(bindings, {
        ...(parted ? { targets, sources } : {}),
        ...(initial ? { initial } : {}),
      })
      const met = workload.loop === 'pair' ? sources[1] - sources[0] : 1
      const { interactions } = program.report
      if (interactions !== met * (targets[1] - targets[0]))
        faults.push(`report.interactions expected ${met * (targets[1] - targets[0])}, got ${interactions}`)
    }
    for (const [name, array] of Object.entries(initial ?? {}))
      results[name] = (results[name] ?? []).concat(Array.from(array))
  }
  return { results, faults }
}

/** How far results change when inputs are rounded, number by number. */
type Changes = Readonly<Record<string, readonly number[]>>

function changesOf(
  bound: (particles: Particles) => Bound,
  particles: Particles,
  truth: Truth,
  precision: Precision,
  targets: readonly number[] | undefined,
): Changes {
  const { rounding } = allowances[precision]
  const others = [1, 2, 3].map((seed) => {
    const dice = new Dice(seed)
    const { workload, shape, bindings } = bound(
      changed(particles, (x) => x + rounding * (Math.abs(x) + 0.1) * dice.uniform(-1, 1)),
    )
    return truthOf(workload, shape, bindings, { precision: 'f64', ...(targets ? { targets } : {}) }).results
  })
  const change = (name: string, n: number, value: number) =>
    others.map((results) => Math.abs((results[name]?.[n] ?? 0) - value)).reduce((a, b) => Math.max(a, b))
  return Object.fromEntries(
    Object.entries(truth.results).map(([name, values]) => [
      name,
      Array.from(values, (value, n) => change(name, n, value)),
    ]),
  )
}

/** Whether two sources of a target have the same term, up to float32, so that either may be the extreme. */
type Tie = (place: number, index: number, right: number) => boolean

function isTie({ workload, shape, bindings }: Bound, target: number, index: number, right: number): boolean {
  if (workload.loop !== 'pair' || !/^arg/.test(workload.reduction) || Math.min(index, right) < 0) return false
  const terms: PairWorkload = { ...workload, reduction: 'none', results: ['value'] }
  const { value = [] } = truthOf(terms, shape, bindings, { precision: 'f64', targets: [target] }).results
  const [a = Number.NaN, b = Number.NaN] = [value[index], value[right]]
  return Math.abs(a - b) <= 2 ** -22 * Math.abs(b)
}

function differenceOf(
  name: string,
  got: readonly number[],
  truth: Truth,
  changes: () => readonly number[],
  precision: Precision,
  tied: Tie,
): string | undefined {
  const expected = truth.results[name] ?? []
  const scales = truth.scales[name] ?? []
  if (got.length !== expected.length) return `${name} expected length ${expected.length}, got ${got.length}`
  const { error, perMille, wholePerMille } = allowances[precision]
  const whole = expected instanceof Int32Array || expected instanceof Uint32Array
  const right = (n: number): boolean => {
    const [want, is] = [expected[n] as number, got[n] as number]
    const scale = Math.abs(scales[Math.floor((n * scales.length) / expected.length)] ?? 1)
    const allowed = whole ? 0 : error * (scale + 1e-3)
    if (is === want || Math.abs(is - want) <= allowed) return true
    const change = changes()[n] as number
    // A result that is infinite or NaN in float64 is so close to a limit that float32 may differ.
    if (!Number.isFinite(change)) return true
    if (!Number.isFinite(want)) return precision === 'f32' || Object.is(is, want)
    if (whole) return change > 0 || (precision === 'f32' && name === 'index' && tied(n, is, want))
    return Math.abs(is - want) <= allowed + 30 * change
  }
  const wrong = Array.from(expected, (_, n) => n).filter((n) => !right(n))
  const [first] = wrong
  if (first === undefined || wrong.length <= ((whole ? wholePerMille : perMille) * expected.length) / 1000)
    return undefined
  return `${name} is wrong in ${wrong.length} of ${expected.length} places; place ${first} expected ${expected[first]}, got ${got[first]}`
}

/** Particles with changed numbers. */
export function changed<P extends object>(particles: P, change: (x: number) => number): P {
  const visit = (value: unknown): unknown => {
    if (value instanceof Float64Array) return value.map(change)
    // Kinds of points stay whole.
    if (value instanceof Float32Array) return value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]))
  }
  return visit(particles) as P
}
