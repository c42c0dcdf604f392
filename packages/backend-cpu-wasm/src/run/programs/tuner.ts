/**
 * Finds the fastest plan by timing candidates once on sample points. Only devices that tune load this file.
 *
 * @module
 */
import type { PairWorkload, Plan, Reduction, Shape, Workload } from '@manybody/core'
import { type Effort, type Tuner, tuningKey } from '@manybody/core/backend'
import { errorBound, errorNorms, steepFloor, truthOf } from '@manybody/core/judge'
import { sampleBindings } from '@manybody/core/samples'
import type { Designs } from '../../design/designs.ts'
import type { PlanFacts } from '../../design/plan-facts.ts'
import { relaxedSimd } from '../host/features.ts'
import type { Host } from '../host/host.ts'
import { loopPlan, onceFits, registerCounts } from '../plans/plan.ts'
import { WasmProgram } from './loaded-at-once.ts'

/** Makes the designs of a workload. */
export type Compile = (workload: Workload, shape: Shape) => Promise<Designs>

export interface Tuning {
  readonly tuner: Tuner
  readonly effort: Effort
}

/** The most points per side on which plans are timed. */
const most = { quick: 2048, full: 4096 } as const
/** The minimum milliseconds and runs of each plan. Engines recompile code that runs often. */
const [duration, runs] = [30, 8]
const tiles: readonly number[] = [64, 256, 1024, 4096]
/** Number of points in a proof (more than a block, and not a multiple of a register), and number of targets that it compares. */
const [proofPoints, compared] = [301, 32]

/** The fastest plan for a workload. It must have points. */
export async function fastestPlan(
  host: Host,
  { tuner, effort }: Tuning,
  compile: Compile,
  workload: PairWorkload,
  shape: Shape,
): Promise<Plan> {
  const { facts } = await compile(workload, shape)
  const { name, precision } = host.info
  const device = `${name}, ${precision}, ${host.threads} threads`
  return tuner.fastest(
    tuningKey(device, workload, shape),
    candidatePlans(effort, host, facts, workload.reduction, shape),
    {
      prepare: async (plan) => {
        const usable = fits(host, facts, shape, plan)
        const exact = usable && (!isFused(plan) || (await isExact(host, compile, workload, shape, plan)))
        return exact ? plan : undefined
      },
      time: (plan) => timeOf(host, compile, sample(workload, shape, most[effort]), plan),
    },
  )
}

const isFused = ({ variant }: Plan) => variant.endsWith('-relaxed')

/** All loops with all numbers of registers; `full` adds all tile lengths, and fused multiply-adds in sums. */
function candidatePlans(
  effort: Effort,
  { threads }: Host,
  { pair }: PlanFacts,
  reduction: Reduction,
  shape: Shape,
): readonly Plan[] {
  const full = effort === 'full'
  const loops = ['simd', ...(pair && onceFits(pair, shape, threads) ? ['pairs-once'] : [])]
  const fused = full && reduction === 'sum' && relaxedSimd()
  const variants = [...loops, ...(fused ? loops.map((loop) => `${loop}-relaxed`) : [])]
  return variants.flatMap((variant) =>
    registerCounts.flatMap((registers) =>
      full ? tiles.map((tile) => ({ variant, sizes: { registers, tile } })) : [{ variant, sizes: { registers } }],
    ),
  )
}

/** Whether this engine has the plan. A learned plan may come from another engine. */
function fits(host: Host, facts: PlanFacts, shape: Shape, plan: Plan): boolean {
  try {
    return loopPlan(plan, facts, shape, host) !== undefined
  } catch {
    return false
  }
}

/** The same shape with a limited number of points per side. It has no exclusions, because these may name points beyond the limit. */
function sample(workload: PairWorkload, shape: Shape, points: number): { workload: PairWorkload; shape: Shape } {
  const least = (workload.k ?? 0) + 1
  const [targets, sources] = [shape.targets, shape.sources].map((n) => Math.min(n, Math.max(points, least))) as [
    number,
    number,
  ]
  return {
    workload: { ...workload, domain: { ...workload.domain, exclusions: [] } },
    shape: { ...shape, targets, sources },
  }
}

/** Milliseconds of the fastest of many runs. */
async function timeOf(
  host: Host,
  compile: Compile,
  { workload, shape }: ReturnType<typeof sample>,
  plan: Plan,
): Promise<number> {
  const bindings = sampleBindings(workload, shape)
  const program = new WasmProgram(host, workload, shape, await compile(workload, shape), { plan })
  let best = Number.POSITIVE_INFINITY
  const end = performance.now() + duration
  for (let n = 0; n < runs || performance.now() < end; n++) {
    await program.run(bindings)
    best = Math.min(best, program.report.timings.compute)
  }
  program.dispose()
  return best
}

/** Whether a plan computes a sum as exactly as its report says. */
async function isExact(host: Host, compile: Compile, whole: PairWorkload, all: Shape, plan: Plan): Promise<boolean> {
  const { workload, shape } = sample(whole, { ...all, targets: proofPoints, sources: proofPoints }, proofPoints)
  const bindings = sampleBindings(workload, shape)
  const program = new WasmProgram(host, workload, shape, await compile(workload, shape), { plan })
  const results = await program.run(bindings)
  const { report } = program
  program.dispose()
  const targets = Array.from({ length: compared }, (_, n) => Math.floor((n * proofPoints) / compared))
  const truth = truthOf(workload, shape, bindings, { targets, precision: report.precision })
  return Object.entries(truth.results).every(([name, expected]) => {
    const width = expected.length / compared
    const got = targets.flatMap((t) => [...(results[name] ?? []).slice(t * width, (t + 1) * width)])
    const { max } = errorNorms(got, expected, truth.scales[name] ?? [])
    return max <= errorBound(report, shape.sources, steepFloor)
  })
}
