/** Whole calls of an engine on one backend, with all parts that a user waits for: checks, copies, and the loop. */

import { type Backend, createEngine, type EngineRunOptions, type Particles, type RunReport } from '@manybody/core'
import type { Contender, Results } from '../contender.ts'
import { whoRan } from './who.ts'

/**
 * @param name the name in rows
 * @param into whether results are put into the arrays of the first call
 */
export function wholeCallContender(name: string, backend: Backend, into = false): Contender {
  return {
    name,
    about: { name },
    async prepare({ workload, particles }) {
      const engine = await createEngine({ backends: [backend] })
      const called = async (options: EngineRunOptions = {}) => {
        const done: { readonly report: RunReport } = await engine.run(workload, particles as Particles, options)
        const { report, ...results } = done
        return { report, results: results as Results }
      }
      let latest = await called()
      return {
        get who() {
          return whoRan(name, latest.report)
        },
        get accuracy() {
          return latest.report
        },
        async run() {
          latest = await called(into ? { into: latest.results as EngineRunOptions['into'] } : {})
          const { upload, compute, readback } = latest.report.timings
          return { upload, compute, readback }
        },
        results: async () => latest.results,
        dispose: () => engine.dispose(),
      }
    },
  }
}
