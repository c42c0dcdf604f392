/**
 * Checks results in production: compares a sample of targets with the float64 reference. Each must be within the bound that
 * error analysis of the law gives for its data.
 *
 * @module
 */
import type { Report } from '../contract/backend.ts'
import { whole } from '../ground/checks.ts'
import { lengthsOf, listAt, listsFrom, listsIn } from '../problem/reductions/lists.ts'
import type { Bound } from '../problem/workloads/bind.ts'
import { withoutTotal } from '../problem/workloads/compiled.ts'
import type { ArrayResults, Shape, Workload } from '../problem/workloads/workload.ts'
import { makesLists } from '../truth/lists/prepared-on.ts'
import { resultErrors } from '../truth/reference/result-errors.ts'
import { widened } from './rows-within.ts'
import { givenTo, type Truth, truthOf } from './truth.ts'
import { type Verification, verificationOf } from './verification.ts'

/** Runs the workload, keeping totals per target, and compares. */
export async function verify(
  run: (bound: Bound) => Promise<{ readonly report: Report }>,
  { workload, shape, bindings }: Bound,
  sample = 64,
): Promise<Verification> {
  whole(sample, 'sample', 1)
  if (
    workload.loop === 'pair' &&
    (workload.method?.kind ?? 'tree') !== 'tree' &&
    workload.domain.boundary.kind === 'periodic'
  )
    throw new TypeError(
      '"workload" expected a sum over pairs, got one over all images through a mesh, which the reference does not compute; each run measures its error: read report.error',
    )
  const perTarget: Workload = workload.loop === 'pair' ? withoutTotal(workload) : workload
  const bound: Bound = { workload: perTarget, shape, bindings }
  const { report, ...all } = await run(bound)
  const targets = sampleOf(perTarget, shape, sample)
  const { precision } = report
  const truth = truthOf(perTarget, shape, bindings, { targets, precision })
  const results = rowsOf(perTarget, all as ArrayResults, truth, targets)
  const rounded = resultErrors({
    ...{ workload: perTarget, targets, report, results, truth: truth.results },
    ...givenTo(bound, precision),
  })
  // A run over all pairs measured no error, and may have none but rounding.
  const { error } = report
  const judged = error && error.targets > 0 ? rounded.map((one, row) => widened(one, row, truth, error)) : rounded
  const compared = { workload: perTarget, targets, report }
  if (!makesLists(perTarget)) return verificationOf(judged, { ...compared, results, truth })
  // Targets have one number each: how many sources they list.
  const lengths = (lists: ArrayResults) =>
    Object.fromEntries(perTarget.results.map((name) => [name, lengthsOf(listsIn(lists))]))
  return verificationOf(judged, {
    ...compared,
    results: lengths(results),
    truth: { ...truth, results: lengths(truth.results) },
  })
}

/** The results of the sampled targets, one after the other. */
function rowsOf(workload: Workload, all: ArrayResults, { results }: Truth, targets: readonly number[]): ArrayResults {
  if (makesLists(workload)) return listsFrom(targets.map((t) => listAt(listsIn(all), t)))
  return Object.fromEntries(
    Object.entries(results).map(([name, expected]) => {
      const array = all[name] ?? new Float32Array(0)
      const width = targets.length ? expected.length / targets.length : 0
      const rows = array.slice(0, 0).constructor as Float32ArrayConstructor
      return [name, rows.from(targets.flatMap((t) => Array.from(array.subarray(t * width, (t + 1) * width))))]
    }),
  )
}

/** Targets spread evenly over the set. Loops without pairs are compared completely. */
function sampleOf(workload: Workload, { targets }: Shape, sample: number): readonly number[] {
  const count = workload.loop === 'pair' ? Math.min(sample, targets) : targets
  return Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) * targets) / count))
}
