/**
 * The shape of a grid.
 *
 * @module
 */
import type { Dimension, Grid, Shape } from './workload.ts'

/** One target for each cell. */
export function gridShape({ cells }: Grid): Shape {
  const targets = cells.reduce((product, n) => product * n, 1)
  return { dimension: cells.length as Dimension, targets, sources: 0, sameSet: true, vectors: [] }
}
