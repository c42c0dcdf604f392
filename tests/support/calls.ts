// How often functions run during some work, as V8 counts it.

import { Session } from 'node:inspector/promises'

/** A file, by the end of its path, and the name of a function in it. */
export type Counted = readonly [file: string, name: string]

/** The number of calls of each function while `work` runs. */
export async function callsDuring(work: () => unknown, ...counted: readonly Counted[]): Promise<number[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return counted.map(([file, name]) =>
      result
        .filter(({ url }) => url.endsWith(file))
        .flatMap(({ functions }) => functions)
        .filter(({ functionName }) => functionName === name)
        .reduce((calls, { ranges }) => calls + (ranges[0]?.count ?? 0), 0),
    )
  } finally {
    session.disconnect()
  }
}
