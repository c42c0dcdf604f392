/** Plain JavaScript as a contender, in several styles and precisions. */

import type { Precision } from '@manybody/core'
import type { Contender } from '../src/contender.ts'
import { loopOf, type Points, pointsOf, resultsOf } from './points.ts'
import { rivalHere } from './processor.ts'

export type Style = 'plain' | 'once'

const styles: Readonly<Record<Style, string>> = {
  plain: 'every ordered pair',
  once: 'each pair once',
}

/** The file `javascript/<style>.mjs` that contains the loop. */
type Loop = (points: Points & Points['attributes'], results: Readonly<Record<string, unknown>>) => void

export function javascript(style: Style, precision: Precision): Contender {
  return {
    name: `JavaScript, ${styles[style]}, ${precision}`,
    rival: true,
    async prepare(problem) {
      const loopName = loopOf(problem)
      const loop = (await loopsOf(style, `${precision}-${loopName}`))[loopName]
      if (!loop) throw new Error(`not written in this style: ${problem.name}, ${problem.task}`)
      const points = pointsOf(problem, precision)
      const given = { ...points, ...points.attributes } as Points & Points['attributes']
      const results = resultsOf(problem, precision)
      return {
        who: rivalHere({ name: 'JavaScript', precision, variant: styles[style] }),
        // Sums are doubles, rounded at the end. For each pair once, the other point's term is added to the result array.
        accuracy: {
          accumulation: precision === 'f64' ? 'f64' : style === 'once' ? 'running' : 'compensated',
          precision,
        },
        async run() {
          loop(given, results)
          return undefined
        },
        results: async () => results,
        dispose() {},
      }
    },
  }
}

/**
 * The loops of one file, loaded again for each `use`. Engines compile a function for the types that it has seen. A function that saw
 * float32 and float64 arrays would be slow on both.
 */
async function loopsOf(style: Style, use: string): Promise<Readonly<Record<string, Loop>>> {
  const url = new URL(`./javascript/${style}.mjs?${use}`, import.meta.url)
  return (await import(/* @vite-ignore */ url.href)) as Readonly<Record<string, Loop>>
}
