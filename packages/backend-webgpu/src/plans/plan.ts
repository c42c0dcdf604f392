/**
 * The plan of a pair loop: takes the plan of the model or of a caller, checks it and clips it to the device. The model is
 * in `plan-model.ts`.
 *
 * @module
 */
import type { Plan } from '@manybody/core'
import { type LoopShape, mostInRegisters } from '../design/loop-shape.ts'
import { componentPlans, tileObstacle } from './component-plan.ts'
import type { PairCase } from './pair-case.ts'
import { modelPlan } from './plan-model.ts'
import { sharesOf } from './thresholds.ts'
import {
  blocksVariant,
  cellsVariant,
  defaultSizes,
  isVariant,
  noSizes,
  onceVariant,
  type Sizes,
  sourcesOf,
  type Variant,
  variants,
} from './variants.ts'

export interface PairPlan {
  readonly variant: Variant
  readonly shape: LoopShape
  /** The grid splits the sources into at most this many parts. */
  readonly parts: number
  /** For each size that was clipped, the requested value and the reason: `of 1000, the limit of the device`. */
  readonly clipped: Readonly<Partial<Record<'workgroup' | 'parts', string>>>
}

/** The plan that the model expects to be fastest. */
export function choosePlan(given: PairCase): PairPlan {
  // Zero points are planned as one, because sizes are at least 1.
  const c = { ...given, targets: Math.max(1, given.targets), sources: Math.max(1, given.sources) }
  return planOf(modelPlan(c), c)
}

/** Plans that are worth comparing by time; the first is that of the model. */
export function candidatePlans(c: PairCase, effort: 'quick' | 'full'): readonly PairPlan[] {
  const chosen = choosePlan(c)
  if (c.vectors) return [chosen, ...componentPlans(c).map((plan) => planOf(plan, c))]
  const sizes = (workgroup: number, targets: number, unroll: number, slices: number, parts: number): Plan => ({
    variant: slices > 1 ? 'sliced' : 'split',
    sizes: { workgroup, targets, unroll, slices, parts, blocks: 0 },
  })
  const quick =
    c.targets <= 8192
      ? [sizes(256, 1, 8, 8, 1), sizes(256, 2, 8, 8, 1), sizes(1024, 2, 8, 32, 1), sizes(128, 4, 8, 1, 32)]
      : [sizes(512, 8, 16, 1, 32), sizes(512, 8, 16, 1, 16), sizes(256, 8, 8, 1, 32), sizes(128, 16, 2, 1, 128)]
  const full = [64, 128, 256, 512, 1024].flatMap((workgroup) =>
    [1, 2, 4, 8, 16].flatMap((targets) =>
      [2, 8, 16].flatMap((unroll) => [1, 8, 32, 128].map((parts) => sizes(workgroup, targets, unroll, 1, parts))),
    ),
  )
  const plans = [chosen, ...(effort === 'quick' ? quick : [...quick, ...full]).map((plan) => planOf(plan, c))]
  return [...new Map(plans.map((plan) => [describePlan(plan), plan])).values()]
}

/**
 * Checks a caller's plan and clips it to the device.
 *
 * @throws RangeError with the variants, or with the sizes of the variant
 */
export function planOf({ variant, sizes = {} }: Plan, c: PairCase): PairPlan {
  if (!isVariant(variant))
    throw new RangeError(
      `"variant" expected ${[...variants, onceVariant, blocksVariant, cellsVariant].join(', ')}, got ${JSON.stringify(variant)}`,
    )
  const known = Object.keys(defaultSizes[variant])
  for (const [name, value] of Object.entries(sizes)) {
    if (!known.includes(name)) throw new RangeError(`"sizes" expected ${known.join(', ')}, got ${name}`)
    const [least, most] = name === 'blocks' ? [0, 1] : name === 'targets' || name === 'unroll' ? [1, 64] : [1, 1024]
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`"${name}" expected integer from ${least} to ${most}, got ${value}`)
  }
  const asked: Sizes = { ...noSizes, ...defaultSizes[variant], ...sizes }
  const { staging = 'workgroup', packed = false } = sourcesOf[variant] ?? {}
  if (staging === 'subgroup' && !c.subgroups)
    throw new RangeError(`"variant" ${variant} needs subgroups, which this device lacks; name another variant`)
  if (packed && 16 * Math.ceil(c.sourceBytes / 16) * c.sources > c.bindingBytes)
    throw new RangeError(
      `"variant" ${variant} packs ${c.sources} sources into more than ${c.bindingBytes} bytes, the limit of one array on this device; name another variant`,
    )
  if (variant === 'group-minima' && !(c.neighbours > 0 && c.neighbours < mostInRegisters))
    throw new RangeError(
      `"variant" ${variant} is only for the nearest neighbours, fewer than ${mostInRegisters} of them; name another variant`,
    )
  const [workgroup, why] = workgroupOf(staging, asked, c)
  const shared = staging !== 'storage' && staging !== 'subgroup'
  const slices = shared ? divisor(workgroup, asked.slices) : 1
  const group = asked.group && divisor(workgroup, asked.group)
  const parts =
    group > 0
      ? asked.parts
      : Math.min(asked.parts, Math.max(1, Math.floor(c.bindingBytes / (4 * c.words * Math.max(1, c.targets)))))
  // The steps of a subgroup must divide every size that its subgroups may have.
  const steps = {
    ...{ storage: 1, workgroup: workgroup / slices, components: asked.unroll, numbers: asked.unroll },
    subgroup: c.subgroups?.least ?? 1,
  }[staging]
  const obstacle = tileObstacle(staging, { ...asked, workgroup, slices }, c)
  if (obstacle) throw new RangeError(`"variant" ${variant} ${obstacle}; name another variant or other sizes`)
  return {
    variant,
    parts,
    clipped: {
      ...(workgroup === asked.workgroup ? {} : { workgroup: `of ${asked.workgroup}, ${why}` }),
      ...(parts === asked.parts ? {} : { parts: `of ${asked.parts}, as many as fit one array` }),
    },
    shape: {
      staging,
      packed,
      workgroup,
      targets: asked.targets,
      unroll: divisor(group || steps, asked.unroll),
      slices,
      split: parts > 1 || group > 0,
      group,
      blocks: asked.blocks > 0 && c.sums,
      gridStride: variant === 'grid-stride',
    },
  }
}

/** The workgroup that fits the device, and the reason if it is not the requested one. */
function workgroupOf(staging: LoopShape['staging'], asked: Sizes, c: PairCase): readonly [size: number, why: string] {
  const wanted = Math.min(asked.workgroup, c.invocations)
  if (staging === 'components' || staging === 'numbers') return [wanted, 'the limit of the device']
  if (staging === 'workgroup')
    return [Math.min(wanted, Math.floor(c.memory / bytesPerInvocation(c, asked))), 'the limit of the device']
  const most = staging === 'subgroup' ? (c.subgroups?.most ?? 1) : 1
  const whole = Math.max(most, Math.floor(wanted / most) * most)
  return [whole, whole === wanted ? 'the limit of the device' : `whole subgroups of up to ${most}`]
}

const bytesPerInvocation = (c: PairCase, { slices }: Sizes) => c.sourceBytes + (slices > 1 ? 4 * c.words : 0)

/** The largest divisor of n that is at most `most`. */
export function divisor(n: number, most: number): number {
  for (let d = Math.min(n, most); d > 1; d--) if (n % d === 0) return d
  return 1
}

/** A plan as data. `planOf` makes the same plan from it again. */
export function planData({ variant, shape, parts }: PairPlan): Plan {
  const { workgroup, targets, unroll, slices, blocks, group } = shape
  const sizes = { workgroup, targets, unroll, parts }
  return { variant, sizes: group ? { ...sizes, group } : { ...sizes, slices, blocks: blocks ? 1 : 0 } }
}

/** A plan as reports show it. */
export function describePlan({ variant, shape, parts, clipped }: PairPlan): string {
  const sizes = [
    [`workgroup ${shape.workgroup}`, clipped.workgroup].filter(Boolean).join(' '),
    ...(shape.targets > 1 ? [`targets ${shape.targets}`] : []),
    ...(shape.unroll > 1 ? [`unroll ${shape.unroll}`] : []),
    ...(shape.slices > 1 ? [`slices ${shape.slices}`] : []),
    ...(parts > 1 || clipped.parts ? [[`parts ${parts}`, clipped.parts].filter(Boolean).join(' ')] : []),
    ...(shape.group ? [`group ${shape.group}`] : []),
    ...(shape.blocks ? ['block sums'] : []),
  ]
  return `${variant} (${sizes.join(', ')})`
}

/** A short key for the facts of a plan that change its shaders. @param targets number of targets */
export function loopKey({ shape }: PairPlan, targets: number): string {
  const { staging, packed, workgroup, unroll, slices, split, blocks, group, gridStride } = shape
  const flags = [packed && 'packed', split && 'split', blocks && 'blocks', gridStride && 'strides'].filter(Boolean)
  const selection = group ? [group, sharesOf(targets)] : []
  return [staging, workgroup, shape.targets, unroll, slices, ...flags, ...selection].join(' ')
}
