/**
 * Estimates the speed of a contender on small problems of the same kind, so that nobody waits hours for one call of a large problem.
 */

import type { Contender, Problem } from '../contender.ts'

/** A call of this many milliseconds spends nearly all of them on its terms. */
const telling = 50
const [first, growth] = [512, 4]

/** Terms per second, measured with ever more points until a call is long enough; undefined if it cannot run. */
export async function pilot(
  contender: Contender,
  make: (count: number) => Problem,
  count: number,
): Promise<number | undefined> {
  for (let n = first; ; n *= growth) {
    const problem = make(Math.min(n, count))
    const milliseconds = await oneCall(contender, problem).catch(() => undefined)
    if (milliseconds === undefined) return undefined
    if (milliseconds > telling || n * growth > count) return (1000 * problem.interactions) / milliseconds
  }
}

async function oneCall(contender: Contender, problem: Problem): Promise<number> {
  const entry = await contender.prepare(problem)
  try {
    await entry.run()
    const start = performance.now()
    await entry.run()
    return performance.now() - start
  } finally {
    entry.dispose()
  }
}
