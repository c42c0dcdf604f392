/** The contenders of a sum with a tolerance on the processor: each tolerance, all pairs, and trees in JavaScript. */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import type { Precision } from '@manybody/core'
import { d3Force, ngraph, ourD3Force } from '../../thirdparty/trees.ts'
import type { Contender, Sketch } from '../contender.ts'
import { type ToleranceMethod, wholeCallContender } from '../contenders/whole-call.ts'
import { isOverImages } from './errors.ts'

export interface TreeOptions {
  readonly tolerances: readonly number[]
  readonly methods: readonly ToleranceMethod[]
  readonly precision: Precision
  readonly threads?: number
  /** Whether rivals take part. */
  readonly rivals: boolean
}

/** The most points for which all pairs are timed. For more points, their time is extrapolated. */
export const mostAllPairs = 32_768

export function treeContenders(
  sketch: Sketch,
  { tolerances, methods, precision, threads, rivals }: TreeOptions,
): readonly Contender[] {
  const open = { precision, ...(threads === undefined ? {} : { threads }) }
  const all = wholeCallContender('all pairs', cpuWasm(), open)
  // A tree is for open space, and over all images there are no pairs.
  const images = isOverImages(sketch)
  const possible = images ? methods.filter((method) => method === 'mesh') : methods
  return [
    ...(images || sketch.targets > mostAllPairs ? [] : [all]),
    ...tolerances.flatMap((tolerance) =>
      possible.map((method) => {
        const name = ['cpu-wasm', ...(method === 'tree' ? [] : [method]), `tolerance ${tolerance}`].join(', ')
        return wholeCallContender(name, cpuWasm(), { ...open, tolerance, method })
      }),
    ),
    ...(rivals ? rivalsOf(sketch, tolerances) : []),
  ]
}

/** Barnes-Hut trees in JavaScript, for the laws that they know, and our force for d3. */
function rivalsOf({ task, dimension }: Sketch, tolerances: readonly number[]): readonly Contender[] {
  if (task.startsWith('layout ') && dimension === 2)
    return [...[0.9, 0.5, 0.3].map(d3Force), ...tolerances.filter((tolerance) => tolerance >= 1e-3).map(ourD3Force)]
  return task.startsWith('gravity ') && dimension === 3 ? [0.8, 0.5].map(ngraph) : []
}
