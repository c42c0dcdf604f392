/**
 * Which variant of the pair loop, and which sizes: a model from counts and device limits, and the check of a caller's
 * own plan. The reasons for the sizes are measurements on an NVIDIA H200; see docs/backends/webgpu.md.
 *
 * @module
 */
import type { DeviceKind, Plan } from '@manybody/core'
import type { Subgroups } from './gpu-host.ts'
import { mostInRegisters } from './list-fold.ts'
import type { LoopShape } from './loop-shape.ts'

export interface PairPlan {
  readonly variant: Variant
  readonly shape: LoopShape
  /** Parts that the grid splits the sources into, at most. */
  readonly parts: number
  /** What was asked for and is not what runs, with the reason: `64 of 1000, whole subgroups`. */
  readonly clipped: Readonly<Partial<Record<'workgroup' | 'parts', string>>>
}

/** What a plan depends on. */
export interface PairCase {
  readonly targets: number
  readonly sources: number
  readonly kind: DeviceKind
  /** Invocations in a workgroup, at most. */
  readonly invocations: number
  /** Bytes of workgroup memory. */
  readonly memory: number
  /** Bytes of one source in workgroup memory. */
  readonly sourceBytes: number
  /** Words that hold the fold of one target. */
  readonly words: number
  /** Numbers that stay in registers per target. */
  readonly registers: number
  /** Neighbours of a list, in ascending order; 0 for other folds. */
  readonly neighbours: number
  /** Whether the fold is a sum, which may be kept per block. */
  readonly sums: boolean
  /** Bytes of one array that a shader binds, at most. */
  readonly bindingBytes: number
  /** Invocations in a subgroup, where the device has subgroups. */
  readonly subgroups?: Subgroups | undefined
}

const variants = [
  'naive',
  'grid-stride',
  'vectorised',
  'tiled',
  'tiled-unrolled',
  'tiled-vectorised',
  'register-blocked',
  'split',
  'sliced',
  'subgroup-shuffle',
  'group-minima',
] as const
type Variant = (typeof variants)[number]
/** The variant with a loop of its own, in `newton-loop.ts`. */
export const newtonVariant = 'each-pair-once'

/** Sizes of a plan by name, with what they are. */
interface Sizes extends Pick<LoopShape, 'workgroup' | 'targets' | 'unroll' | 'slices' | 'group'> {
  readonly parts: number
  readonly blocks: number
}
const none: Pick<Sizes, 'slices' | 'blocks' | 'group'> = { slices: 1, blocks: 0, group: 0 }

const defaults: Readonly<Record<Variant, Omit<Sizes, keyof typeof none> & Partial<Sizes>>> = {
  naive: { workgroup: 64, targets: 1, unroll: 1, slices: 1, parts: 1, blocks: 0 },
  'grid-stride': { workgroup: 64, targets: 1, unroll: 1, slices: 1, parts: 1, blocks: 0 },
  vectorised: { workgroup: 64, targets: 1, unroll: 1, slices: 1, parts: 1, blocks: 0 },
  tiled: { workgroup: 256, targets: 1, unroll: 1, slices: 1, parts: 1, blocks: 1 },
  'tiled-unrolled': { workgroup: 256, targets: 1, unroll: 8, slices: 1, parts: 1, blocks: 1 },
  'tiled-vectorised': { workgroup: 256, targets: 1, unroll: 8, slices: 1, parts: 1, blocks: 1 },
  'register-blocked': { workgroup: 256, targets: 4, unroll: 4, slices: 1, parts: 1, blocks: 1 },
  split: { workgroup: 256, targets: 4, unroll: 8, slices: 1, parts: 16, blocks: 1 },
  sliced: { workgroup: 256, targets: 1, unroll: 8, slices: 8, parts: 1, blocks: 1 },
  'subgroup-shuffle': { workgroup: 256, targets: 4, unroll: 4, slices: 1, parts: 1, blocks: 1 },
  'group-minima': { workgroup: 256, targets: 4, unroll: 16, parts: 16, group: 32 },
}

/** Where a variant holds sources, and whether they are packed first, unless it tiles them as they are. */
const sourcesOf: Readonly<Partial<Record<Variant, Partial<Pick<LoopShape, 'staging' | 'packed'>>>>> = {
  naive: { staging: 'storage' },
  'grid-stride': { staging: 'storage' },
  vectorised: { staging: 'storage', packed: true },
  'tiled-vectorised': { packed: true },
  'subgroup-shuffle': { staging: 'subgroup' },
  'group-minima': { packed: true },
}

/** Registers that targets may take before a loop spills. */
const registerBudget = 128

/** The plan that the model expects to be fastest. */
export function choosePlan(given: PairCase): PairPlan {
  // No points are planned as one: sizes are 1 at least.
  const c = { ...given, targets: Math.max(1, given.targets), sources: Math.max(1, given.sources) }
  const fits = (targets: number) => Math.max(1, Math.min(targets, Math.floor(registerBudget / c.registers)))
  // A processor has no workgroup memory to gain from, and barriers are dear there; targets in registers save it loads,
  // and block sums keep long sums exact.
  if (c.kind !== 'hardware')
    return planOf({ variant: 'naive', sizes: { targets: c.words > 8 ? 1 : fits(4), blocks: 1 } }, c)
  const wide = c.invocations >= 512
  const selected = minimaPlan(c)
  if (selected) return planOf(selected, c)
  if (c.targets <= 8192 && c.words <= 8) {
    const workgroup = c.invocations >= 1024 && slicedBytes(c, 1024) <= c.memory ? 1024 : 256
    const slices = workgroup >= 1024 ? 32 : 16
    const groups = Math.ceil((c.targets * slices) / workgroup)
    const parts = groups >= 64 ? 1 : Math.min(8, Math.ceil(64 / groups), Math.ceil(c.sources / 1024))
    // Slices are blocks already, unless they are long.
    const blocks = c.sources > 1024 * slices * parts ? 1 : 0
    return planOf({ variant: 'sliced', sizes: { workgroup, slices, targets: 1, unroll: 8, parts, blocks } }, c)
  }
  // Long lists: few targets an invocation, 32 sources marked at a time, and few parts, as each begins a list of its own.
  if (c.words > 8) {
    const parts = Math.min(4, Math.max(1, 2 ** Math.round(Math.log2(65536 / Math.max(1, c.targets)))))
    const targets = c.targets > 131072 ? fits(2) : 1
    return planOf({ variant: 'split', sizes: { workgroup: 128, targets, unroll: 32, parts, blocks: 0 } }, c)
  }
  // Very many targets fill the device by themselves; block sums then cost nothing and keep long chains exact.
  const spare = !wide || 16 * c.registers < registerBudget
  if (c.targets > 131072 && c.sums && spare)
    return planOf(
      { variant: 'split', sizes: { workgroup: 128, targets: fits(16), unroll: 2, parts: 32, blocks: 1 } },
      c,
    )
  const sumShape = wide
    ? { workgroup: 512, targets: fits(8), unroll: 8 }
    : { workgroup: 128, targets: fits(16), unroll: 2 }
  const shape = c.sums ? sumShape : { workgroup: wide ? 512 : 128, targets: fits(8), unroll: 16 }
  const blocks = Math.ceil(c.targets / (shape.workgroup * shape.targets))
  const wanted = wide ? (c.targets > 131072 ? 2048 : c.targets > 32768 ? 512 : 128) : c.sums ? 16384 : 1024
  const parts = Math.min(128, 2 ** Math.round(Math.log2(Math.max(1, wanted / blocks))))
  return planOf({ variant: 'split', sizes: { ...shape, parts, blocks: 0 } }, c)
}

/** Neighbours by group minima: about 1024 groups or half as many, of 32 sources at least. */
function minimaPlan({ neighbours, targets, sources, invocations }: PairCase): Plan | undefined {
  if (neighbours === 0 || neighbours >= mostInRegisters) return undefined
  if (targets < 4096 || sources < 4096) return undefined
  const few = targets <= 12288
  const workgroup = few ? 128 : Math.min(512, invocations)
  const group = Math.min(workgroup, Math.max(32, 2 ** Math.round(Math.log2(sources / 1024))))
  const parts = few ? Math.min(64, Math.ceil(sources / workgroup)) : targets > 131072 ? 64 : 32
  return { variant: 'group-minima', sizes: { workgroup, targets: targets <= 6144 ? 4 : 8, unroll: 16, group, parts } }
}

/** Plans that are worth timing against each other, the model's own first. */
export function candidatePlans(c: PairCase, effort: 'quick' | 'full'): readonly PairPlan[] {
  const chosen = choosePlan(c)
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
 * A caller's plan, checked and clipped to the device.
 *
 * @throws RangeError naming the sizes a variant has
 */
export function planOf({ variant, sizes = {} }: Plan, c: PairCase): PairPlan {
  if (!isVariant(variant))
    throw new RangeError(
      `"variant" expected ${[...variants, newtonVariant].join(', ')}, got ${JSON.stringify(variant)}`,
    )
  const known = Object.keys(defaults[variant])
  for (const [name, value] of Object.entries(sizes)) {
    if (!known.includes(name)) throw new RangeError(`"sizes" expected ${known.join(', ')}, got ${name}`)
    const [least, most] = name === 'blocks' ? [0, 1] : name === 'targets' || name === 'unroll' ? [1, 64] : [1, 1024]
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`"${name}" expected integer from ${least} to ${most}, got ${value}`)
  }
  const asked: Sizes = { ...none, ...defaults[variant], ...sizes }
  const { staging = 'workgroup', packed = false } = sourcesOf[variant] ?? {}
  if (staging === 'subgroup' && !c.subgroups)
    throw new RangeError(`"variant" ${variant} needs subgroups, which this device lacks; name another variant`)
  if (packed && 16 * Math.ceil(c.sourceBytes / 16) * c.sources > c.bindingBytes)
    throw new RangeError(
      `"variant" ${variant} packs ${c.sources} sources into more than the ${c.bindingBytes} bytes that one array may have here; name another variant`,
    )
  if (variant === 'group-minima' && !(c.neighbours > 0 && c.neighbours < mostInRegisters))
    throw new RangeError(
      `"variant" ${variant} is for fewer than ${mostInRegisters} neighbours, and for nothing else; name another variant`,
    )
  const [workgroup, why] = workgroupOf(staging, asked, c)
  const slices = staging === 'workgroup' ? divisor(workgroup, asked.slices) : 1
  const group = asked.group && divisor(workgroup, asked.group)
  const parts =
    group > 0
      ? asked.parts
      : Math.min(asked.parts, Math.max(1, Math.floor(c.bindingBytes / (4 * c.words * Math.max(1, c.targets)))))
  // What a subgroup unrolls divides every size that subgroups may have.
  const steps = { storage: 1, workgroup: workgroup / slices, subgroup: c.subgroups?.least ?? 1 }[staging]
  return {
    variant,
    parts,
    clipped: {
      ...(workgroup === asked.workgroup ? {} : { workgroup: `of ${asked.workgroup}, ${why}` }),
      ...(parts === asked.parts ? {} : { parts: `of ${asked.parts}, what one array may hold` }),
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

/** The workgroup that the device has room for, and why it is not the one that was asked for, if it is not. */
function workgroupOf(staging: LoopShape['staging'], asked: Sizes, c: PairCase): readonly [size: number, why: string] {
  const wanted = Math.min(asked.workgroup, c.invocations)
  if (staging === 'workgroup')
    return [Math.min(wanted, Math.floor(c.memory / bytesPerInvocation(c, asked))), 'the limit of the device']
  const most = staging === 'subgroup' ? (c.subgroups?.most ?? 1) : 1
  const whole = Math.max(most, Math.floor(wanted / most) * most)
  return [whole, whole === wanted ? 'the limit of the device' : `whole subgroups of up to ${most}`]
}

const isVariant = (name: string): name is Variant => (variants as readonly string[]).includes(name)
const bytesPerInvocation = (c: PairCase, { slices }: Sizes) => c.sourceBytes + (slices > 1 ? 4 * c.words : 0)
const slicedBytes = (c: PairCase, workgroup: number) => workgroup * (c.sourceBytes + 4 * c.words)

/** The largest divisor of n that is at most `most`. */
export function divisor(n: number, most: number): number {
  for (let d = Math.min(n, most); d > 1; d--) if (n % d === 0) return d
  return 1
}

/** A plan as data, from which `planOf` makes the same again. */
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
