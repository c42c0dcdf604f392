/**
 * The facts of a workload that decide whether its loops may meet each pair once. Its bodies have the term for the target and
 * the term for the source.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { guardRule, onceObstacle, type PairBody, pairBody, Remembered, termOf } from '@manybody/core/expression'
import type { OnceVersion } from '../../design/design.ts'
import { type Versions, versionFor } from '../../design/versions.ts'
import { derived, versionsFor } from '../../designs/lazily.ts'
import type { OnceLoops } from '../../designs/pair-loops.ts'
import { lacking, type WriteOnce } from './pair-parts.ts'
import { withoutCounts } from './pair-problem.ts'

/** The same for all numbers of points. */
const known = new Remembered<PairWorkload, Versions<PairBody>>()
const shaders = new Remembered<Versions<PairBody>, Versions<OnceVersion>>()

/** @param write absent if its code is not loaded */
export function onceLoops(workload: PairWorkload, shape: Shape, write: WriteOnce | undefined): OnceLoops {
  const options = { reaction: true, factorOut: false }
  const guard = guardRule(workload, shape)
  const make = () => versionsFor(guard, (one) => pairBody(workload, shape, { guard: one, ...options }))
  const bodies = known.of(workload, make, withoutCounts(shape))
  return {
    // Each fact is derived when it is first read, because most workloads need neither.
    facts: {
      get obstacle() {
        const radial = termOf(workload, shape.dimension).form === 'radial'
        return onceObstacle(workload, shape) ?? (radial ? undefined : 'its term is not radial')
      },
      get registers() {
        return 2 * shape.dimension + versionFor({ versions: bodies, guard }).target.length
      },
    },
    versions(plan) {
      if (!write) throw lacking('that meets each pair once')
      const written = () => derived(bodies, (body) => write(workload, shape, plan, body))
      return shaders.of(bodies, written, JSON.stringify(plan))
    },
  }
}
