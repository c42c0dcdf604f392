/**
 * Proves that a device correctly computes the loops that meet each pair once. These loops rely on the reports of drivers about
 * subgroups. So they are compared with another loop, once per law, before the model may choose them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import type { Agreement, Contestant } from './trial.ts'

export interface OnceProof {
  /** Whether programs with the same operations in the same order have had the same results so far: some drivers reorder them. */
  readonly alike: boolean
  /** Compares a program that meets each pair once with another one. */
  compare(workload: PairWorkload, shape: Shape, once: Contestant, other: Contestant): Promise<Agreement>
}

export function createOnceProof(host: GpuHost, memory: Memory): OnceProof {
  const verdicts = new Map<string, Promise<Agreement>>()
  let alike = true
  return {
    get alike() {
      return alike
    },
    compare(workload, shape, once, other) {
      const { law, quantity, domain } = workload
      const { dimension, split, scaled } = shape
      const variants = [once, other].map(({ design }) => design.variant)
      const key = JSON.stringify([law.expressions, quantity, domain, dimension, split, scaled, variants])
      const known = verdicts.get(key)
      if (known !== undefined) return known
      const { proof: points = shape.targets } = once.design
      const sample = { ...shape, targets: points, sources: points }
      const verdict = import('./trial.ts').then((it) => it.trial(host, memory, workload, sample, [once, other]))
      const sameOrder = other.design.proof !== undefined
      const noted = verdict.then((one) => {
        if (sameOrder && one !== 'same') alike = false
        return one
      })
      verdicts.set(key, noted)
      // A trial that failed has no verdict, so the next call tries again.
      noted.catch(() => verdicts.delete(key))
      return noted
    },
  }
}
