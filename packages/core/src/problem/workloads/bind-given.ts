/**
 * Binds a workload as a user gives it, which may have come from JSON.
 *
 * @module
 */
import type { Curves } from '../../ground/curves.ts'
import type { TableInput } from '../../ground/table.ts'
import { type Bound, checkedData } from './bind.ts'
import { bindingParts } from './bind-parts.ts'
import { workloadOf } from './from-data.ts'
import type { Attributes, TermParticles } from './particles.ts'
import { tablesOfRun } from './tables/run-tables.ts'
import type { GivenParameters } from './vector-parameters.ts'
import type { Shape, Workload } from './workload.ts'

/** As {@link checkedData}, for any workload, and with tables and functions of the run as a user gives them. */
export function bind(
  given: Workload,
  particles: Attributes | TermParticles,
  overrides?: GivenParameters,
  prepared?: Shape,
  tables?: Readonly<Record<string, TableInput>>,
  functions?: Readonly<Record<string, Curves>>,
): Bound {
  const workload = workloadOf(given)
  return checkedData(workload, particles, overrides, prepared, bindingParts)(tablesOfRun(workload, tables, functions))
}
