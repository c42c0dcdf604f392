/**
 * A workload as a user gives it, checked. A constructor here has made and checked most of them. Others come from JSON; the language that
 * checks these loads with the first one, and so do the parts of binding that few workloads need.
 *
 * @module
 */
import type { BindingParts } from '../problem/workloads/bind.ts'
import { isCompiled, open } from '../problem/workloads/compiled.ts'
import { knownWorkloads } from '../problem/workloads/known-workloads.ts'
import { lawFact } from '../problem/workloads/law-facts.ts'
import type { Workload } from '../problem/workloads/workload.ts'

/** A workload with the loaded parts of binding. Binding needs no others. */
export interface CheckedWorkload<W extends Workload> {
  readonly workload: W
  readonly parts: BindingParts | undefined
}

let parts: BindingParts | undefined

/** @throws TypeError, RangeError, {@link ExpressionError} */
export function checkedWorkload<W extends Workload>(given: W): CheckedWorkload<W> | Promise<CheckedWorkload<W>> {
  if (knownWorkloads.has(given)) return withParts(given)
  if (isCompiled(given)) return withParts(open(given))
  return import('../problem/workloads/from-data.ts').then(({ workloadOf }) => withParts(workloadOf(given) as W))
}

function withParts<W extends Workload>(workload: W): CheckedWorkload<W> | Promise<CheckedWorkload<W>> {
  return parts || !needsParts(workload) ? { workload, parts } : loadParts(workload)
}

async function loadParts<W extends Workload>(workload: W): Promise<CheckedWorkload<W>> {
  parts = (await import('../problem/workloads/bind-parts.ts')).bindingParts
  return { workload, parts }
}

/** Whether a workload has no pairs, reads vectors of any length, has a cutoff of each pair, or excludes pairs. */
function needsParts(workload: Workload): boolean {
  if (workload.loop !== 'pair') return true
  const { cutoff, exclusions } = workload.domain
  if (exclusions.length > 0 || typeof cutoff?.distance === 'string') return true
  // Whether there are any depends on no dimension, but compiled facts have one.
  const dimension = isCompiled(workload) ? workload.compiled.dimension : 3
  return lawFact('vectors', workload, { dimension, vectors: [] }) !== undefined
}
