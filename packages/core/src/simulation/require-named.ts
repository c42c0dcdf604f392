/**
 * Checks of expressions of points by the names of their arrays, before there is a run.
 *
 * @module
 */
import { nameOf } from '../ground/names.ts'
import { type NamedArrays, requireReads } from '../problem/workloads/map-set.ts'
import type { MapWorkload } from '../problem/workloads/workload.ts'

/** @throws TypeError if a map reads a name that no array has, or an array has the name of one of its parameters */
export function requireNamed(workload: MapWorkload, points: NamedArrays): void {
  for (const name of points.names) nameOf(name, 'particles', ['pi', ...Object.keys(workload.parameters)])
  requireReads(workload, points)
}
