/** A tree in JavaScript as a contender, on one thread in float64: built and asked for all points in each call. */

import type { Contender, Problem, Results } from '../src/contender.ts'
import { type Points, pointsOf } from './points.ts'
import { rivalHere } from './processor.ts'

export interface TreeRival {
  /** The name in rows. */
  readonly name: string
  readonly variant?: string
  /** Distinguishes trees of one name. */
  readonly key?: string
  /** The detail that it leaves out by design. */
  readonly approximate?: string | undefined
  suits(problem: Problem): boolean
  /** Loads the package, and makes the function that is timed. Its results are read after the call. */
  build(points: Points, problem: Problem): Promise<() => () => Results>
}

export const treeRival = ({ name, variant = 'tree', key = name, approximate, suits, build }: TreeRival): Contender => ({
  name: key,
  rival: true,
  about: { name, precision: 'f64', threads: 1 },
  async prepare(problem) {
    if (!suits(problem)) throw new Error(`nobody wrote ${problem.name}, ${problem.task} with ${name}`)
    const call = await build(pointsOf(problem, 'f64'), problem)
    let results: () => Results = () => ({})
    return {
      who: rivalHere({ name, precision: 'f64', variant }),
      accuracy: { accumulation: 'f64', precision: 'f64' },
      ...(approximate === undefined ? {} : { approximate }),
      async run() {
        results = call()
        return undefined
      },
      results: async () => results(),
      dispose() {},
    }
  },
})
