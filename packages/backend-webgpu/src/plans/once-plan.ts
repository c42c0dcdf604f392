/**
 * Plans that meet each pair once: when they pay, and their sizes for a device.
 *
 * @module
 */
import type { Plan } from '@manybody/core'
import type { LoopHost } from '../design/facts.ts'
import type { OnceShape } from '../design/loop-shape.ts'
import { divisor } from './plan.ts'
import { mostPointsRolled, onceRow, turnRow } from './thresholds.ts'
import { onceVariant } from './variants.ts'

/** The facts that decide a plan, besides the device and the number of points. */
export interface OnceFacts {
  /** Why the workload cannot meet each pair once; undefined if it can. */
  readonly obstacle: string | undefined
  /** Numbers that stay in registers per target. */
  readonly registers: number
  /** Sizes of subgroups with existing loops; by default, any. */
  readonly subgroups?: readonly number[]
}

export interface OncePlan extends OnceShape {
  /** Number of offsets of one workgroup: few, so that many workgroups finish at about the same time. */
  readonly offsets: number
}

/** Number of targets, over all workgroups of one subgroup each, that occupies a large device evenly. */
const wantedTargets = 65536

/** The size of subgroups; undefined if a device has none, or has several sizes. */
function subgroupOf({ subgroups }: LoopHost): number | undefined {
  return subgroups && subgroups.least === subgroups.most && subgroups.least > 1 ? subgroups.least : undefined
}

/** Whether a device meets each pair once where a workload allows it, because that is expected to be faster. */
export const onceSuits = (points: number, host: LoopHost): boolean =>
  host.info.kind === 'hardware' && onceRow(points).pays && subgroupOf(host) !== undefined

/** Whether meeting each pair once is expected to be faster. `proof.ts` tests whether the device computes it correctly. */
export function oncePays(facts: OnceFacts, points: number, host: LoopHost): boolean {
  const subgroup = onceSuits(points, host) ? subgroupOf(host) : undefined
  return subgroup !== undefined && facts.obstacle === undefined && facts.subgroups?.includes(subgroup) !== false
}

/** @throws RangeError if the workload or the device cannot meet each pair once */
export function oncePlanOf(facts: OnceFacts, points: number, plan: Plan, host: LoopHost): OncePlan {
  const subgroup = subgroupOf(host)
  if (subgroup === undefined)
    throw new RangeError(
      `"variant" ${onceVariant} needs subgroups of one size, which ${host.info.name} lacks; name another variant`,
    )
  if (facts.obstacle)
    throw new RangeError(`"variant" ${onceVariant} does not fit the workload: ${facts.obstacle}; name another variant`)
  const usual = onceRow(points, facts.registers).targets
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

/**
 * The plan for first runs: the same sums in the same order, by a loop that compiles sooner; undefined if that loop would
 * compute too long.
 */
export function earlyPlan(once: Plan, points: number): Plan | undefined {
  return points <= mostPointsRolled ? { ...once, sizes: { ...once.sizes, unroll: 0 } } : undefined
}

/** A plan as reports and shaders show it. */
export const describeOnce = ({ subgroup, targets, unroll, offsets }: OncePlan): string =>
  `${onceVariant} (subgroup ${subgroup}, targets ${targets}, unroll ${unroll}, offsets ${offsets})`

/** A key for the facts of a plan that change its shaders. */
export const onceKey = ({ subgroup, targets, unroll }: OncePlan): string => [subgroup, targets, unroll].join(' ')
