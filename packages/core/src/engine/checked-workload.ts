/**
 * A workload as a user gives it, checked. A constructor here has made and checked most of them. Others come from JSON; the language that
 * checks these loads with the first one.
 *
 * @module
 */
import { isCompiled, open } from '../problem/workloads/compiled.ts'
import { knownWorkloads } from '../problem/workloads/known-workloads.ts'
import type { Workload } from '../problem/workloads/workload.ts'

/** @throws TypeError, RangeError, {@link ExpressionError} */
export function checkedWorkload<W extends Workload>(given: W): W | Promise<W> {
  if (knownWorkloads.has(given)) return given
  if (isCompiled(given)) return open(given)
  return import('../problem/workloads/from-data.ts').then(({ workloadOf }) => workloadOf(given) as W)
}
