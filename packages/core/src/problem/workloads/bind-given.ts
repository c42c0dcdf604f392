/**
 * Binds a workload as a user gives it, which may have come from JSON.
 *
 * @module
 */
import { type Bound, bindChecked } from './bind.ts'
import { workloadOf } from './from-data.ts'
import type { Workload } from './workload.ts'

/** As {@link bindChecked}, for any workload. */
export function bind(given: Workload, ...rest: Omit1<Parameters<typeof bindChecked>>): Bound {
  return bindChecked(workloadOf(given), ...rest)
}

type Omit1<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never
