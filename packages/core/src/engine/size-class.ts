/**
 * Classes of numbers of points: powers of two. Calls of one class take about the same time, and may share a program.
 *
 * @module
 */
import type { Shape } from '../problem/workloads/workload.ts'

/** The shape with the most points of its class. */
export function largestOfClass(shape: Shape): Shape {
  const { targets, sources } = shape
  return { ...shape, targets: largest(targets), sources: largest(sources) }
}

const largest = (count: number) => (count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count)))
