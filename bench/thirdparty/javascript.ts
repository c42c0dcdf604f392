/** Plain JavaScript as a contender, in several styles and precisions. */

import type { Precision } from '@manybody/core'
import type { Contender } from '../src/contender.ts'
import { loopFor, type Style } from './javascript/loops.ts'
import { loopOf, pointsOf, resultsOf } from './points.ts'
import { rivalHere } from './processor.ts'

const styles: Readonly<Record<Style, string>> = {
  plain: 'every ordered pair',
  once: 'each pair once',
}

export function javascript(style: Style, precision: Precision): Contender {
  return {
    name: `JavaScript, ${styles[style]}, ${precision}`,
    rival: true,
    async prepare(problem) {
      const results = resultsOf(problem, precision)
      const loop = loopFor(
        style,
        loopOf(problem),
        pointsOf(problem, precision),
        results as Readonly<Record<string, Float32Array>>,
      )
      if (!loop) throw new Error(`not written in this style: ${problem.name}, ${problem.task}`)
      return {
        who: rivalHere({ name: 'JavaScript', precision, variant: styles[style] }),
        // Sums are doubles, rounded at the end. For each pair once, the other point's term is added to the result array.
        accuracy: {
          accumulation: precision === 'f64' ? 'f64' : style === 'once' ? 'running' : 'compensated',
          precision,
        },
        async run() {
          loop()
          return undefined
        },
        results: async () => results,
        dispose() {},
      }
    },
  }
}
