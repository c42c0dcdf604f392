/**
 * Waiting times of a caller on a graphics card. Whole calls, with copies from and to the host, stand beside CUDA's. There are also steps of
 * a simulation, and the first call of a process. Each contender has the process to itself while it is timed, because a driver that switches
 * between devices makes short calls longer.
 */

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import type { Contender } from '../../src/contender.ts'
import { simulationContender } from '../../src/contenders/simulation.ts'
import { wholeCallContender } from '../../src/contenders/whole-call.ts'
import type { ProblemSpec } from '../../src/problem.ts'
import { turnsSession } from '../../src/sessions/local-session.ts'
import type { Session } from '../../src/sessions/session.ts'
import { type Cuda, cudaCall, cudaEnvironment } from '../cuda.ts'
import { nativeContext } from '../native-gles.ts'
import { firstCallContender, firsts } from './first-call.ts'

const gravity = { law: 'gravity' }
const liquid = { law: 'lennard-jones-box' }
/** The laws that CUDA computes, too. */
const laws = [gravity, { law: 'coulomb' }, liquid]
const matrix = { task: 'matrix' }
/** Workloads that are timed with more points, too: one over all pairs, and those that leave out far points. */
const ofMany = [gravity, liquid, { task: 'nearest(8) in a cube' }, { task: 'nearest(8) in a Plummer sphere' }]

/** The points of a matrix that fills a buffer; the most points for all laws; and the most points for steps over all pairs. */
const [widest, mostOfAll, mostMoved] = [16384, 2 ** 18, 65536]

export interface FirstCall {
  /** The number of points of the timed call. */
  readonly points: number
  /** Path of `dawn.node`, if it does not come from the package. */
  readonly dawn: string | undefined
}

/** Problems from few points to many, each with its own points. */
export function callProblems(sizes: readonly number[]): readonly ProblemSpec[] {
  return sizes
    .toSorted((a, b) => a - b)
    .flatMap((count) =>
      [...(count > mostOfAll ? ofMany : laws), ...(count === widest ? [matrix] : [])].map(
        (what): ProblemSpec => ({ what, count, seed: count }),
      ),
    )
}

/** @param version the version of the package webgpu */
export const callSession = (version: string, cuda: Cuda, firstCall: FirstCall): Session =>
  turnsSession(
    cudaEnvironment(version, cuda),
    async (problem, spec) => {
      const rivals = 'law' in spec.what ? await cuda.open(problem) : undefined
      return { groups: contendersOf(spec, rivals?.contenders ?? [], firstCall), end: () => rivals?.dispose() }
    },
    { dispose: async () => cuda.dispose() },
  )

/** Contenders that are timed in turns, in consecutive groups. */
function contendersOf(
  spec: ProblemSpec,
  cuda: readonly Contender[],
  { points, dawn }: FirstCall,
): readonly (readonly Contender[])[] {
  const call = wholeCallContender('webgpu, whole call', webgpu())
  if (spec.what === matrix) return [[call], [wholeCallContender('webgpu, whole call, into', webgpu(), { into: true })]]
  const calls = [call, ...cuda.filter(({ name }) => name === cudaCall || name === 'CUDA')]
  const steps = simulationContender('webgpu, simulate', webgpu())
  if (spec.what === liquid) return [calls, [steps]]
  if (spec.what !== gravity) return [calls]
  return [
    calls,
    ...(spec.count > mostMoved
      ? []
      : [[wholeCallContender('webgl, whole call', webgl({ context: nativeContext }))], [steps]]),
    ...(spec.count === points
      ? [true, false].flatMap((cold) =>
          (Object.keys(firsts) as (keyof typeof firsts)[]).map((which) => [
            firstCallContender(which, cold, spec, dawn),
          ]),
        )
      : []),
  ]
}
