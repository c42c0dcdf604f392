/**
 * Components of vectors in laws of pairs. A simulation keeps an array with one number per point for each component that its laws read.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { type ComponentOf, componentNamed } from '../../problem/workloads/components.ts'
import { attributesRead } from '../../problem/workloads/quantity.ts'
import type { Dimension, PairWorkload } from '../../problem/workloads/workload.ts'

/** The components that a workload reads, by name. An array with that name takes precedence. */
export function componentsRead(
  workload: PairWorkload,
  arrays: Readonly<Record<string, FloatArray>>,
  dimension: Dimension,
): ReadonlyMap<string, ComponentOf> {
  const { targets, sources } = attributesRead(workload, dimension)
  return new Map(
    [...targets, ...sources].flatMap((name) => {
      const of = componentNamed(name, arrays, dimension)
      return of ? [[name, of] as const] : []
    }),
  )
}

/** Whether a workload reads velocities: components of them, or as vectors in `dot`, `norm` and the like. */
export function readsVelocities(
  workload: PairWorkload,
  arrays: Readonly<Record<string, FloatArray>>,
  dimension: Dimension,
): boolean {
  const { targets, sources } = attributesRead(workload, dimension)
  return [...targets, ...sources].some(
    (name) => name === 'velocity' || componentNamed(name, arrays, dimension)?.vector === 'velocity',
  )
}
