/** Whole calls of an engine on one backend, with all parts that a user waits for: checks, copies, the loop, and measured errors. */

import {
  type Backend,
  createEngine,
  type EngineOptions,
  type EngineRunOptions,
  mesh,
  type PairWorkload,
  type Particles,
  type RunReport,
  tree,
} from '@manybody/core'
import type { Contender, Results } from '../contender.ts'
import { whoRan } from './who.ts'

/** The methods that take a tolerance. */
const toleranceMethods = { tree, mesh }
export type ToleranceMethod = keyof typeof toleranceMethods

export interface WholeCallOptions extends Pick<EngineOptions, 'precision' | 'threads'> {
  /** Whether results are put into the arrays of the first call. */
  readonly into?: true
  /** The sum then has a tolerance, by a tree unless it says otherwise. */
  readonly tolerance?: number | undefined
  readonly method?: ToleranceMethod
}

/** @param name the name in rows */
export function wholeCallContender(
  name: string,
  backend: Backend,
  { into, tolerance, method = 'tree', ...open }: WholeCallOptions = {},
): Contender {
  return {
    name,
    about: { name },
    async prepare({ workload: exact, particles }) {
      const engine = await createEngine({ backends: [backend], ...open })
      const approximate = () => ({ ...exact, method: toleranceMethods[method]({ tolerance: tolerance ?? 0 }) })
      const workload = tolerance === undefined ? exact : (approximate() as PairWorkload)
      const called = async (options: EngineRunOptions = {}) => {
        const done: { readonly report: RunReport } = await engine.run(workload, particles as Particles, options)
        const { report, ...results } = done
        return { report, results: results as Results }
      }
      let latest: Awaited<ReturnType<typeof called>> | undefined
      const latestCall = () => {
        if (!latest) throw new Error('expected a run before its report')
        return latest
      }
      return {
        get who() {
          return whoRan(name, latestCall().report)
        },
        get accuracy() {
          return latestCall().report
        },
        tolerance,
        get told() {
          return tolerance === undefined ? undefined : (latestCall().report.error?.largest ?? 0)
        },
        get evaluated() {
          return tolerance === undefined ? undefined : latestCall().report.evaluated
        },
        async run() {
          latest = await called(into && latest ? { into: latest.results as EngineRunOptions['into'] } : {})
          const { upload, compute, readback } = latest.report.timings
          return { upload, compute, readback }
        },
        results: async () => latestCall().results,
        dispose: () => engine.dispose(),
      }
    },
  }
}
