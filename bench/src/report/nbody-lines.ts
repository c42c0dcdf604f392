/** Figures for gravity in the words of CUDA's nbody sample, for people who compare or parse them. */

import type { BenchmarkRecord } from '../record.ts'
import { measured } from './series.ts'

/** The operations that the sample counts for a pair of softened gravity. */
const flops = 20

/** Three lines for each figure, after one that names the contender. The words of the sample are about gravity only. */
export function nbodyLines({ rows }: BenchmarkRecord): string {
  const gravity = measured(rows).filter(({ problem }) => problem.name === 'gravity')
  if (gravity.length === 0) return 'No lines of the nbody sample: nobody computed gravity.'
  return gravity
    .map(({ environment, contender, problem, interactions, outcome }) => {
      const { samples, median } = outcome.call
      const perSecond = interactions / median / 1e6
      const precision = contender.precision === 'f64' ? 'double' : 'single'
      return [
        `> ${contender.name} in ${environment}: ${contender.device}${contender.kind === 'software' ? ' (software)' : ''}`,
        `${problem.targets} bodies, total time for ${samples} iterations: ${(samples * median).toFixed(3)} ms`,
        `= ${perSecond.toFixed(3)} billion interactions per second`,
        `= ${(flops * perSecond).toFixed(3)} ${precision}-precision GFLOP/s at ${flops} flops per interaction`,
      ].join('\n')
    })
    .join('\n')
}
