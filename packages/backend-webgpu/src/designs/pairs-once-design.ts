/**
 * The design that meets each pair once, and the conditions for it. It visits offsets between blocks in rounds: each round
 * fills as many slots as fit, and the second reduction adds them to the results.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape } from '@manybody/core'
import { Guarded, guardRule, onceObstacle, type PairBody, pairBody, termOf } from '@manybody/core/backend'
import { evaluate } from '@manybody/core/expression'
import type { DesignRun, Step, Work } from '../drivers/driver.ts'
import { foldOf } from '../folds/folds.ts'
import type { LoopHost, LoopLimits } from '../host/host.ts'
import { combine, combineGroups } from '../loops/combine.ts'
import { onceFields, onceFold, pairsOnceLoop } from '../loops/pairs-once-loop.ts'
import type { OnceShape } from '../parts/once-turns.ts'
import { pairTexts } from '../parts/pair-texts.ts'
import { divisor } from '../plans/plan.ts'
import { mostPointsRolled, type OnceRow, onceRow, turnRow } from '../plans/thresholds.ts'
import { onceVariant } from '../plans/variants.ts'
import { hostText } from '../wgsl/operators.ts'
import type { Field, Shader } from '../wgsl/shader.ts'
import { accumulationOf } from './accumulation.ts'
import type { ProgramDesign } from './design.ts'

/** A workload that may meet each pair once. Its body has the term for the target and the term for the source. */
export interface OnceProblem {
  readonly workload: PairWorkload
  readonly shape: Shape
  readonly body: Guarded<PairBody>
}

export function onceProblem(workload: PairWorkload, shape: Shape): OnceProblem {
  const options = { reaction: true, factorOut: false }
  const body = new Guarded(guardRule(workload, shape), (guard) => pairBody(workload, shape, { guard, ...options }))
  return { workload, shape, body }
}

export interface OncePlan extends OnceShape {
  /** Number of offsets of one workgroup: few, so that many workgroups finish at about the same time. */
  readonly offsets: number
}

/** Number of targets, over all workgroups of one subgroup each, that occupies a large device evenly. */
const wantedTargets = 65536
/** Offsets at the end of a round that have a workgroup each, so that all workgroups finish at about the same time. */
const shortOffsets = 16
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
export function onceRowOf({ shape, body }: OnceProblem, points: number): OnceRow {
  return onceRow(points, 2 * shape.dimension + body.of().target.length)
}

/** A plan as reports and shaders show it. */
const describeOnce = ({ subgroup, targets, unroll, offsets }: OncePlan) =>
  `${onceVariant} (subgroup ${subgroup}, targets ${targets}, unroll ${unroll}, offsets ${offsets})`

/** Points for the proof: eight blocks, the last one not full. The ring is even, so it includes the offset half way round. */
const pointsOfProof = ({ subgroup, targets }: OncePlan): number => Math.ceil(7.6 * subgroup * targets)

/** The shaders of a workload that meets each pair once. */
interface OnceShaders {
  readonly body: PairBody
  readonly loop: Shader
  readonly combine: Shader
}

/** @param plain the design for runs with ranges or earlier results, which this loop cannot compute */
export function pairsOnceDesign(
  problem: OnceProblem,
  plan: OncePlan,
  limits: LoopLimits,
  plain: () => ProgramDesign,
): ProgramDesign {
  const { workload, shape } = problem
  const { dimension } = shape
  const shaders = problem.body.map((body) => shadersOf(workload, shape, plan, body))
  const [name = ''] = workload.results
  return {
    variant: describeOnce(plan),
    proof: pointsOfProof(plan),
    accumulation: accumulationOf(plan.offsets * plan.subgroup * plan.targets, shape.targets),
    inputs: shaders
      .of()
      .loop.resources.map((r) => r.key)
      .filter((key) => key !== 'partial'),
    shaders: (parameters) => {
      const { loop, combine } = shaders.of(parameters)
      return [loop, combine]
    },
    results(bindings, { targets = [0, bindings.targets.count] }) {
      const length = (targets[1] - targets[0]) * dimension
      return [{ name, type: 'f32', length, held: length }]
    },
    interactions(bindings, { targets, sources }) {
      const n = bindings.targets.count
      return (targets ? targets[1] - targets[0] : n) * (sources ? sources[1] - sources[0] : n)
    },
    work: (run) => onceWork(run, shaders.of(run.bindings.parameters), plan, dimension, name, limits),
    inParts: plain,
  }
}

function shadersOf(workload: PairWorkload, { dimension }: Shape, plan: OncePlan, oneWay: PairBody): OnceShaders {
  const body: PairBody = { ...oneWay, terms: [...oneWay.terms, ...oneWay.reaction] }
  const options = { body, dimension, fold: onceFold(dimension), sameSet: true, exclusions: false }
  const tail = pairTexts({ ...options, within: (r) => `max(there, at_${r}) < run.targetCount` })
  const run = body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) }))
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeOnce(plan)}`
  const whole = pairTexts(options)
  return {
    body,
    loop: pairsOnceLoop(label, { whole, tail }, dimension, plan, run),
    combine: combine(`${label}: second reduction`, whole, foldOf(workload, dimension), [...onceFields, ...run]),
  }
}

/** The workgroups of a block in a round: first the long ones, then one for each of the last offsets. */
function partsOf(offsets: number, perPart: number): { readonly longParts: number; readonly parts: number } {
  const longParts = perPart > 1 ? Math.max(0, Math.floor((offsets - shortOffsets) / perPart)) : offsets
  return { longParts, parts: longParts + offsets - longParts * perPart }
}

function onceWork(
  run: DesignRun,
  shaders: OnceShaders,
  plan: OncePlan,
  width: number,
  result: string,
  limits: LoopLimits,
): Work {
  const { count } = run.bindings.targets
  const blocks = Math.ceil(count / (plan.subgroup * plan.targets))
  const offsets = Math.floor(blocks / 2) + 1
  const slots = Math.min(slotBytes, limits.maxStorageBufferBindingSize) / (4 * width * count)
  // One slot per offset, and one per workgroup.
  const room = Math.floor((slots * plan.offsets) / (plan.offsets + 1)) - 1 - shortOffsets
  const perRound = Math.max(1, Math.min(offsets, room))
  const partial = 4 * width * count * (perRound + partsOf(perRound, plan.offsets).parts)
  const read = { name: result, at: 0, length: width * count }
  return { scratch: { partial }, steps: rounds(run, shaders, plan, { blocks, offsets, perRound, read }) }
}

interface Rounds {
  /** Blocks of points, in a ring. */
  readonly blocks: number
  /** Number of offsets between blocks that meet: in total, and in one round. */
  readonly offsets: number
  readonly perRound: number
  /** The result to read after the last round. */
  readonly read: Step['reads'][number]
}

function* rounds(
  { bindings, budget }: DesignRun,
  { body, loop, combine }: OnceShaders,
  plan: OncePlan,
  { blocks, offsets, perRound, read }: Rounds,
): Generator<Step> {
  const { count } = bindings.targets
  const parameters = Object.fromEntries(body.run.map((b) => [b.name, evaluate(b.expr, bindings.parameters)]))
  const block = plan.subgroup * plan.targets
  for (let first = 0; first < offsets; ) {
    // Per block, each offset takes two blocks of ordered pairs.
    const fits = Math.max(1, Math.floor(budget() / (2 * block * block * blocks)))
    const last = Math.min(offsets, first + Math.min(perRound, fits))
    const { longParts, parts: groups } = partsOf(last - first, plan.offsets)
    const values = {
      ...parameters,
      targetFirst: 0,
      targetCount: count,
      parts: last - first + groups,
      carry: first > 0 ? 1 : 0,
      blocks,
      offsetFirst: first,
      offsetLast: last,
      perPart: plan.offsets,
      longParts,
      rows: plan.targets,
      turns: plan.subgroup,
    }
    const done = last === offsets
    yield {
      dispatches: [
        { shader: loop, values, size: [blocks, groups, 1] },
        { shader: combine, values, size: combineGroups(count) },
      ],
      interactions: Math.round((count * count * (last - first)) / offsets),
      done: done ? 1 : last / offsets,
      reads: done ? [read] : [],
    }
    first = last
  }
}
