/** The loops that are written in C: the number of each in its program, its inputs, and its outputs. */

import type { PairWorkload } from '@manybody/core'
import type { Problem } from '../src/contender.ts'
import { type LoopName, loopOf, type Numbers, type Points } from './points.ts'

export interface NativeLoop {
  /** The number in laws.h or, for tasks, in tasks.c. */
  readonly number: number
  /** Whether it is a task, not a sum of a law. */
  readonly task?: true
  /** The arrays `weight` and `radius`, in the precision of the points. */
  attributes(points: Points): readonly [Numbers, Numbers]
  parameters(points: Points): readonly number[]
  results(problem: Problem): readonly NativeResult[]
}

interface NativeResult {
  readonly name: string
  readonly request: 'o' | 'i'
  readonly perTarget: number
}

/** @throws Error if there is no such loop in C */
export function nativeLoopOf(problem: Problem): NativeLoop {
  const loop = loops[loopOf(problem)]
  if (!loop) throw new Error(`nobody wrote ${problem.name}, ${problem.task} in C`)
  return loop
}

const law = (
  number: number,
  weight: string,
  parameters: readonly string[],
  of: (weight: Numbers, radius: Numbers) => readonly [Numbers, Numbers] = (weight, radius) => [weight, radius],
): NativeLoop => ({
  number,
  attributes: (points) => of(attribute(points, weight), attribute(points, 'sigma')),
  parameters: (points) => parameters.map((name) => points.parameters[name] ?? Number.NaN),
  results: ({ workload }) => {
    const { quantity, results } = workload as PairWorkload
    const vector = quantity === 'force' || quantity === 'acceleration'
    return results.map((name) => ({ name, request: 'o', perTarget: vector ? 3 : 1 }))
  },
})

const task = (number: number, perTarget: (problem: Problem) => number): NativeLoop => ({
  number,
  task: true,
  attributes: (points) => [attribute(points, ''), attribute(points, '')],
  parameters: ({ k }) => [k],
  results: (problem) =>
    (problem.workload as PairWorkload).results.map((name) => ({
      name,
      request: name === 'index' ? 'i' : 'o',
      perTarget: perTarget(problem),
    })),
})

/** An attribute, or zeros if the points do not have it. */
const attribute = ({ attributes, axes, count }: Points, name: string): Numbers =>
  attributes[name] ?? (axes[0] instanceof Float64Array ? new Float64Array(count) : new Float32Array(count))

const loops: Readonly<Partial<Record<LoopName, NativeLoop>>> = {
  gravity: law(0, 'mass', ['G', 'softening']),
  coulomb: law(1, 'charge', ['k']),
  lennardJones: law(2, 'epsilon', ['cutoff', 'boxX', 'boxY', 'boxZ'], (depth, width) => [
    depth.map(Math.sqrt),
    width.map((sigma) => sigma / 2),
  ]),
  gaussian: law(3, 'weight', ['height', 'width']),
  argmin: task(0, () => 1),
  logsumexp: task(1, () => 1),
  nearest: task(2, ({ workload }) => (workload as PairWorkload).k ?? 1),
  matrix: task(3, ({ sources }) => sources),
}
