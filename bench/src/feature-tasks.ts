/** The tasks over points with many features instead of positions: `kernel(100)` is a sum of Gaussians of 100 features, `kernel matrix(100)` their matrix. */

import { type Attributes, matrix, type PairWorkload, type Particles, pairTerm, sum } from '@manybody/core'
import { randomFrom } from './random.ts'
import type { Task } from './task.ts'

const kernel = pairTerm('exp(-sqdist(x_i, x_j))*b_j', { name: 'a Gaussian of features' })()
const workloads: Readonly<Record<string, PairWorkload>> = { kernel: sum(kernel), 'kernel matrix': matrix(kernel) }

/** The task of that name; undefined if there is none. */
export function featureTaskOf(name: string, count: number): Task<PairWorkload> | undefined {
  const [, kind = '', length] = /^([a-z ]+)\((\d+)\)$/.exec(name) ?? []
  const [workload, features] = [workloads[kind], Number(length)]
  if (!workload) return undefined
  // Squared distances are 1 on average, however many features there are.
  const width = Math.sqrt(6 / features)
  return {
    ...{ name: workload.law.name, workload, dimension: 3, features },
    particles(seed) {
      const random = randomFrom(seed)
      const x = Float32Array.from({ length: count * features }, () => width * random())
      const points: Attributes = { x, b: Float32Array.from({ length: count }, () => 0.5 + random()), count }
      return points as Particles
    },
  }
}
