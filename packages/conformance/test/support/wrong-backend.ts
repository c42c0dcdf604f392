/**
 * Deliberately wrong backends: the reference with one fault each, inserted between the suite and the programs.
 *
 * @module
 */
import {
  type ArrayResults,
  type Backend,
  type Bindings,
  type Device,
  type Domain,
  type PairWorkload,
  type Program,
  type Report,
  type RunOptions,
  reference,
  type Shape,
  type Workload,
} from '@manybody/core'

/** One run as a fault sees it: its inputs, and a way to get the right results, if necessary with other inputs. */
export interface FaultyRun {
  readonly workload: Workload
  readonly shape: Shape
  readonly bindings: Bindings
  readonly options: RunOptions
  right(bindings?: Bindings, options?: RunOptions): Promise<ArrayResults>
}

/** The fault: each member replaces the right one. */
export interface Fault {
  /** The workload that is prepared instead. */
  readonly workload?: (workload: Workload) => Workload
  readonly run?: (run: FaultyRun) => Promise<ArrayResults>
  readonly report?: (report: Report) => Report
  readonly device?: (device: Device) => Partial<Device>
}

/** The reference with a fault or, without one, the plain reference. */
export function wrongBackend({
  workload: changed = (w) => w,
  run,
  report = (r) => r,
  device = () => ({}),
}: Fault): Backend {
  const right = reference()
  return {
    ...right,
    async open(options) {
      const inner = await right.open(options)
      return {
        ...inner,
        async prepare(workload, shape) {
          const program = await inner.prepare(changed(workload), shape)
          return run || report ? faulty(program, workload, shape, run, report) : program
        },
        ...device(inner),
      }
    },
  }
}

function faulty(
  program: Program,
  workload: Workload,
  shape: Shape,
  run: Fault['run'] = ({ right }) => right(),
  report: (report: Report) => Report,
): Program {
  return {
    run: (bindings, options = {}) =>
      run({
        ...{ workload, shape, bindings, options },
        right: (others = bindings, otherOptions = options) => program.run(others, otherOptions),
      }),
    ...(program.fewer && { fewer: true }),
    get report() {
      return report(program.report)
    },
    dispose: () => program.dispose(),
  }
}

/** Pair workloads with another domain. */
export function domainOf(
  workload: Workload,
  change: (domain: Domain, workload: PairWorkload) => Partial<Domain>,
): Workload {
  if (workload.loop !== 'pair') return workload
  return { ...workload, domain: { ...workload.domain, ...change(workload.domain, workload) } }
}

/** Changes each number of the results, but not indices and counts. */
export function changeNumbers(results: ArrayResults, change: (value: number) => number): ArrayResults {
  return Object.fromEntries(
    Object.entries(results).map(([name, array]) => [
      name,
      array instanceof Float32Array || array instanceof Float64Array ? array.map(change) : array,
    ]),
  )
}

/** The nearest number of eleven binary digits, the precision of half floats. */
export function half(value: number): number {
  const step = 2 ** (Math.floor(Math.log2(Math.abs(value) || 1)) - 10)
  return Number.isFinite(value) ? Math.round(value / step) * step : value
}
