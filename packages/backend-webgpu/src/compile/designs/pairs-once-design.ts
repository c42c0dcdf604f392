/**
 * The design that meets each pair once, and the conditions for it.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape } from '@manybody/core'
import type { GuardRule } from '@manybody/core/backend'
import { guardRule, onceObstacle, type PairBody, pairBody, termOf } from '@manybody/core/expression'
import type { OnceDesign, OnceVersion, PairDesign } from '../../design/design.ts'
import type { LoopHost, LoopLimits } from '../../design/facts.ts'
import type { Field } from '../../design/shader.ts'
import { type Versions, versionFor } from '../../design/versions.ts'
import { foldOf } from '../folds/folds.ts'
import { combine, targetsPerCombine } from '../loops/combine.ts'
import { onceFields, onceFold, pairsOnceLoop } from '../loops/pairs-once-loop.ts'
import type { OnceShape } from '../parts/once-turns.ts'
import { pairTexts } from '../parts/pair-texts.ts'
import { divisor } from '../plans/plan.ts'
import { mostPointsRolled, type OnceRow, onceRow, turnRow } from '../plans/thresholds.ts'
import { onceVariant } from '../plans/variants.ts'
import { hostText } from '../wgsl/operators.ts'
import { accumulationOf } from './accumulation.ts'
import { derived, versionsFor } from './lazily.ts'

/** A workload that may meet each pair once. Its bodies have the term for the target and the term for the source. */
export interface OnceProblem {
  readonly workload: PairWorkload
  readonly shape: Shape
  readonly guard: GuardRule
  readonly bodies: Versions<PairBody>
}

export function onceProblem(workload: PairWorkload, shape: Shape): OnceProblem {
  const options = { reaction: true, factorOut: false }
  const guard = guardRule(workload, shape)
  const bodies = versionsFor(guard, (one) => pairBody(workload, shape, { guard: one, ...options }))
  return { workload, shape, guard, bodies }
}

export interface OncePlan extends OnceShape {
  /** Number of offsets of one workgroup: few, so that many workgroups finish at about the same time. */
  readonly offsets: number
}

/** Number of targets, over all workgroups of one subgroup each, that occupies a large device evenly. */
const wantedTargets = 65536
/** Bytes of the slots of one round. */
const slotBytes = 2 ** 29

/** The size of subgroups; undefined if a device has none, or has several sizes. */
function subgroupOf({ subgroups }: LoopHost): number | undefined {
  return subgroups && subgroups.least === subgroups.most && subgroups.least > 1 ? subgroups.least : undefined
}

/** Why a workload cannot meet each pair once here; undefined if it can. */
function obstacleOf({ workload, shape }: OnceProblem): string | undefined {
  const radial = termOf(workload, shape.dimension).form === 'radial'
  return onceObstacle(workload, shape) ?? (radial ? undefined : 'its term is not radial')
}

/** Whether meeting each pair once is expected to be faster. `proof.ts` tests whether the device computes it correctly. */
export function oncePays(problem: OnceProblem, points: number, host: LoopHost): boolean {
  const large = host.info.kind === 'hardware' && onceRow(points).pays
  return large && subgroupOf(host) !== undefined && obstacleOf(problem) === undefined
}

/** @throws RangeError if the workload or the device cannot meet each pair once */
export function oncePlanOf(problem: OnceProblem, points: number, plan: Plan, host: LoopHost): OncePlan {
  const subgroup = subgroupOf(host)
  if (subgroup === undefined)
    throw new RangeError(
      `"variant" ${onceVariant} needs subgroups of one size, which ${host.info.name} lacks; name another variant`,
    )
  const obstacle = obstacleOf(problem)
  if (obstacle)
    throw new RangeError(`"variant" ${onceVariant} does not fit the workload: ${obstacle}; name another variant`)
  const usual = onceRowOf(problem, points).targets
  const { targets = usual, unroll = turnRow(targets).unroll, ...rest } = plan.sizes ?? {}
  const blocks = Math.ceil(points / (subgroup * targets))
  const wanted = Math.floor((blocks * blocks * targets) / 2 / wantedTargets)
  const { offsets = Math.max(1, Math.min(3, wanted)), ...unknown } = rest
  for (const name of Object.keys(unknown))
    throw new RangeError(`"sizes" expected targets, unroll, offsets, got ${name}`)
  for (const [name, value, least, most] of [
    ['targets', targets, 1, 64],
    ['unroll', unroll, 0, 64],
    ['offsets', offsets, 1, 1024],
  ] as const)
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`"${name}" expected integer from ${least} to ${most}, got ${value}`)
  return { subgroup, targets, unroll: unroll && divisor(subgroup, unroll), offsets }
}

/** The plan for first runs: the same sums in the same order, by a loop that compiles sooner; undefined where it computes too long. */
export function earlyPlan(once: Plan, points: number): Plan | undefined {
  return points <= mostPointsRolled ? { ...once, sizes: { ...once.sizes, unroll: 0 } } : undefined
}

/** The row of the model for a problem that can meet each pair once. */
export function onceRowOf({ shape, guard, bodies }: OnceProblem, points: number): OnceRow {
  return onceRow(points, 2 * shape.dimension + versionFor({ versions: bodies, guard }).target.length)
}

/** A plan as reports and shaders show it. */
const describeOnce = ({ subgroup, targets, unroll, offsets }: OncePlan) =>
  `${onceVariant} (subgroup ${subgroup}, targets ${targets}, unroll ${unroll}, offsets ${offsets})`

/** Points for the proof: eight blocks, the last one not full. The ring is even, so it includes the offset half way round. */
const pointsOfProof = ({ subgroup, targets }: OncePlan): number => Math.ceil(7.6 * subgroup * targets)

/** @param plain the design for runs with ranges or earlier results, which this loop cannot compute */
export function pairsOnceDesign(
  { workload, shape, guard, bodies }: OnceProblem,
  plan: OncePlan,
  limits: LoopLimits,
  plain: () => PairDesign,
): OnceDesign {
  const { dimension } = shape
  const { subgroup, targets, offsets } = plan
  const versions = derived(bodies, (body) => onceVersion(workload, shape, plan, body))
  const { loop } = versionFor({ versions, guard }).shaders
  const [name = ''] = workload.results
  return {
    driver: 'once',
    variant: describeOnce(plan),
    proof: pointsOfProof(plan),
    accumulation: accumulationOf(offsets * subgroup * targets, shape.targets),
    inputs: loop.resources.map((r) => r.key).filter((key) => key !== 'partial'),
    results: [{ name, type: 'f32', width: dimension }],
    guard,
    versions,
    get inParts() {
      return plain()
    },
    ...{ subgroup, targets, offsets, width: dimension },
    slotBytes: Math.min(slotBytes, limits.maxStorageBufferBindingSize),
    targetsPerCombine,
  }
}

function onceVersion(workload: PairWorkload, { dimension }: Shape, plan: OncePlan, oneWay: PairBody): OnceVersion {
  const body: PairBody = { ...oneWay, terms: [...oneWay.terms, ...oneWay.reaction] }
  const options = { body, dimension, fold: onceFold(dimension), sameSet: true, exclusions: false }
  const tail = pairTexts({ ...options, within: (r) => `max(there, at_${r}) < run.targetCount` })
  const run = body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) }))
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeOnce(plan)}`
  const whole = pairTexts(options)
  return {
    shaders: {
      loop: pairsOnceLoop(label, { whole, tail }, dimension, plan, run),
      combine: combine(`${label}: second reduction`, whole, foldOf(workload, dimension), [...onceFields, ...run]),
    },
    run: body.run,
  }
}
