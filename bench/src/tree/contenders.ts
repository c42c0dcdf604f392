/** The contenders of a sum with a tolerance on the processor: each tolerance, all pairs, and rivals. */

import { availableParallelism } from 'node:os'
import { cpuWasm } from '@manybody/backend-cpu-wasm'
import type { PairWorkload, Precision } from '@manybody/core'
import { ewaldStyles, lammpsSums } from '../../thirdparty/mesh/lammps.ts'
import { d3Force, ngraph, ourD3Force } from '../../thirdparty/trees.ts'
import type { Contender, Sketch } from '../contender.ts'
import { type ToleranceMethod, wholeCallContender } from '../contenders/whole-call.ts'
import { isOverImages } from './errors.ts'

export interface SumOptions {
  readonly tolerances: readonly number[]
  readonly precision: Precision
  readonly threads?: number
}

/** The most points for which all pairs are timed. For more points, their time is extrapolated. */
export const mostAllPairs = 32_768

/** The most points for which the engines of all tolerances live at once. Each keeps some 65 bytes for a point. */
const mostTogether = 2e6

/** The contenders that take turns: all of them, or each alone. */
export const inTurn = (
  { targets }: Pick<Sketch, 'targets'>,
  contenders: readonly Contender[],
): readonly (readonly Contender[])[] => (targets > mostTogether ? contenders.map((one) => [one]) : [contenders])

/** All pairs, and each tolerance by some methods. Over all images there are no pairs, and no tree. */
export function ourSums(
  { workload, targets }: Sketch,
  methods: readonly ToleranceMethod[],
  { tolerances, precision, threads }: SumOptions,
): readonly Contender[] {
  const open = { precision, ...(threads === undefined ? {} : { threads }) }
  const images = isOverImages(workload as PairWorkload)
  const possible = images ? methods.filter((method) => method === 'mesh') : methods
  return [
    ...(images || targets > mostAllPairs ? [] : [wholeCallContender('all pairs', cpuWasm(), open)]),
    ...tolerances.flatMap((tolerance) =>
      possible.map((method) => {
        const name = ['cpu-wasm', ...(methods.length > 1 ? [method] : []), `tolerance ${tolerance}`].join(', ')
        return wholeCallContender(name, cpuWasm(), { ...open, tolerance, method })
      }),
    ),
  ]
}

/** Barnes-Hut trees in JavaScript, for the laws that they know, and our force for d3. */
export function treeRivals({ task, dimension }: Sketch, { tolerances }: SumOptions): readonly Contender[] {
  if (task.startsWith('layout ') && dimension === 2)
    return [...[0.9, 0.5, 0.3].map(d3Force), ...tolerances.filter((tolerance) => tolerance >= 1e-3).map(ourD3Force)]
  return task.startsWith('gravity ') && dimension === 3 ? [0.8, 0.5].map(ngraph) : []
}

/** Ewald sums of LAMMPS, in the box. */
export function meshRivals(
  { workload, targets }: Sketch,
  { tolerances, threads = availableParallelism() }: SumOptions,
): readonly Contender[] {
  if (!isOverImages(workload as PairWorkload)) return []
  return ewaldStyles(targets).flatMap((style) => tolerances.map((tolerance) => lammpsSums(style, tolerance, threads)))
}
