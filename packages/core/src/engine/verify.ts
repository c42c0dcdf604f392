/**
 * Checks results in production: a sample of targets against the float64 reference.
 *
 * @module
 */
import type { Report } from '../backend.ts'
import { whole } from '../checks.ts'
import { type ErrorNorms, errorBound, errorNorms, steepFloor } from '../error-norms.ts'
import type { Bound } from '../workloads/bind.ts'
import type { ArrayResults, Shape, Workload } from '../workloads/workload.ts'
import { truthOf } from './truth.ts'

export interface Verification extends ErrorNorms {
  /** Targets that were compared. */
  readonly sampled: number
  /** The largest error that would be right for how the terms were added. */
  readonly bound: number
  readonly ok: boolean
  readonly report: Report
}

/** Runs the workload, target by target where it would be a total, and compares. */
export async function verify(
  run: (bound: Bound) => Promise<{ readonly report: Report }>,
  { workload, shape, bindings }: Bound,
  sample = 64,
): Promise<Verification> {
  whole(sample, 'sample', 1)
  const perTarget: Workload = workload.loop === 'pair' ? { ...workload, total: false } : workload
  const { report, ...results } = await run({ workload: perTarget, shape, bindings })
  const targets = sampleOf(perTarget, shape, sample)
  const truth = truthOf(perTarget, shape, bindings, { targets, precision: report.precision })
  const norms = Object.entries(truth.results).map(([name, expected]) => {
    const all = (results as ArrayResults)[name] ?? []
    const width = targets.length ? expected.length / targets.length : 0
    const out = targets.flatMap((t) => [...all.slice(t * width, (t + 1) * width)])
    const exact = expected instanceof Int32Array || expected instanceof Uint32Array
    return errorNorms(out, expected, exact ? targets.map(() => 1) : (truth.scales[name] ?? []))
  })
  const worst = norms.reduce((a, b) => (b.max > a.max ? b : a))
  const bound = errorBound(report, shape.sources, steepFloor)
  return { ...worst, sampled: targets.length, bound, ok: worst.max <= bound, report }
}

/** Targets spread evenly over all of them; loops without pairs are compared whole. */
function sampleOf(workload: Workload, { targets }: Shape, sample: number): readonly number[] {
  const count = workload.loop === 'pair' ? Math.min(sample, targets) : targets
  return Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) * targets) / count))
}
