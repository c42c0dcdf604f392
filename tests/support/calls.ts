// Counts how often functions run during some work, with V8's counters.

import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

/** A file, by the end of its path, and the name of a function in it. */
export type Counted = readonly [file: string, name: string]

/** The number of calls of each function while `work` runs. */
export async function callsDuring(work: () => unknown, ...counted: readonly Counted[]): Promise<number[]> {
  const scripts = await scriptsDuring(work)
  return counted.map(([file, name]) =>
    callsOf(
      scripts.filter(({ url }) => url.endsWith(file)).flatMap(({ functions }) => functions),
      name,
    ),
  )
}

/** The number of calls of all functions in a folder while `work` runs. */
export async function callsInFolder(work: () => unknown, folder: string): Promise<number> {
  const scripts = await scriptsDuring(work)
  return callsOf(scripts.filter(({ url }) => url.includes(`/${folder}/`)).flatMap(({ functions }) => functions))
}

const callsOf = (functions: readonly Profiler.FunctionCoverage[], name?: string): number =>
  functions
    .filter(({ functionName }) => name === undefined || functionName === name)
    .reduce((calls, { ranges }) => calls + (ranges[0]?.count ?? 0), 0)

/** The functions of each script, with the number of their calls during `work`. */
async function scriptsDuring(work: () => unknown): Promise<readonly Profiler.ScriptCoverage[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await work()
    return (await session.post('Profiler.takePreciseCoverage')).result
  } finally {
    session.disconnect()
  }
}
