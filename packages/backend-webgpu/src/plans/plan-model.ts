/**
 * The model of the pair loop as a table of variants and sizes, by fold, device and number of targets. The first row that
 * matches wins. Each row names the record that supports it. `plan.ts` checks plans and clips them to the device.
 *
 * @module
 */
import type { Plan } from '@manybody/core'
import { mostInRegisters } from '../design/loop-shape.ts'
import { fittingTile, tileObstacle, tilesPay } from './component-plan.ts'
import type { PairCase } from './pair-case.ts'
import { beforeBlocks, beforeMinima, h200, never, notes, software } from './records.ts'
import type { Variant } from './variants.ts'

export interface ModelRow {
  readonly fold: FoldCase
  readonly device: DeviceCase
  /** The row matches up to this number of targets. */
  readonly upTo: number
  /** The row matches up to this number of registers per target; by default any number. */
  readonly registers?: number
  /** The row matches unless the number of targets is a multiple of this one, or hardly less: then the next row fills its workgroups. */
  readonly besideMultiples?: number
  readonly variant: Variant
  readonly sizes: RowSizes
  /** The record that timed the row's plan, with a remark after a colon where another row decides there; or why none did. */
  readonly record: string
}

type FoldCase = 'any' | 'vectors' | 'other vectors' | 'few neighbours' | 'up to 8 words' | 'over 8 words' | 'sum'
type DeviceCase = 'any' | 'software' | '512 invocations' | '1024 invocations'

/** Sizes as in a plan, or the rule that computes one. */
interface RowSizes {
  readonly workgroup: number
  /** An upper limit: targets that keep many numbers get fewer, except with group minima. */
  readonly targets: number
  readonly unroll: number
  readonly slices?: number
  readonly parts: number | PartsRule
  readonly blocks?: 0 | 1 | 'long slices'
}
/**
 * - `fill`: the power of two that gives about this number of workgroups;
 * - `slices`: as many as give 64 workgroups with 1024 sources or more each, but at most this number; many more if there are far
 *   more sources than targets;
 * - `tiles`: one part per tile, but at most this number.
 */
type PartsRule = { readonly fill: number } | { readonly slices: number } | { readonly tiles: number }

/** Tiles of 128 x 128 pairs, and of 32 x 32 for few points. */
const largeTile = { workgroup: 256, slices: 16, targets: 8, unroll: 8 }
const smallTile = { workgroup: 64, slices: 8, targets: 4, unroll: 4 }

/** Tiles of 64 x 32 pairs for folds that are not sums. */
const sharedTile = { workgroup: 128, slices: 2, targets: 1, unroll: 32 }

const folds: Readonly<Record<FoldCase, (c: PairCase) => boolean>> = {
  any: () => true,
  vectors: (c) => tilesPay(largeTile, c),
  'other vectors': (c) => tileObstacle('numbers', sharedTile, c) === undefined,
  'few neighbours': ({ neighbours, targets, sources }) =>
    neighbours > 0 && neighbours < mostInRegisters && Math.min(targets, sources) >= 4096,
  'up to 8 words': ({ words }) => words <= 8,
  'over 8 words': ({ words }) => words > 8,
  sum: ({ sums }) => sums,
}

const devices: Readonly<Record<DeviceCase, (c: PairCase) => boolean>> = {
  any: () => true,
  software: ({ kind }) => kind !== 'hardware',
  '512 invocations': ({ invocations }) => invocations >= 512,
  // Workgroup memory must hold a source and the fold of a slice for each of the 1024 invocations.
  '1024 invocations': ({ invocations, memory, sourceBytes, words }) =>
    invocations >= 1024 && 1024 * (sourceBytes + 4 * words) <= memory,
}

const all = Number.POSITIVE_INFINITY

const row = (
  fold: FoldCase,
  device: DeviceCase,
  upTo: number,
  variant: Variant,
  sizes: RowSizes,
  record: string,
): ModelRow => ({ fold, device, upTo, variant, sizes, record })

const naive = (targets: number): RowSizes => ({ workgroup: 64, targets, unroll: 1, parts: 1, blocks: 1 })
const minima = (workgroup: number, targets: number, parts: RowSizes['parts']): RowSizes => ({
  workgroup,
  targets,
  unroll: 16,
  parts,
})
const sliced = (workgroup: number, slices: number): RowSizes => ({
  workgroup,
  slices,
  targets: 1,
  unroll: 8,
  parts: { slices: 8 },
  blocks: 'long slices',
})
/** Few parts, because each part starts with an empty list. */
const list = (targets: number, parts: number): RowSizes => ({ workgroup: 128, targets, unroll: 32, parts, blocks: 0 })
const split = (workgroup: number, targets: number, unroll: number, fill: number): RowSizes => ({
  workgroup,
  targets,
  unroll,
  parts: { fill },
  blocks: 0,
})
/** Very many targets fill the device without help. Block sums then cost nothing, and keep long sums exact. */
const manySums: RowSizes = { workgroup: 128, targets: 16, unroll: 2, parts: 32, blocks: 1 }

/** Lists of nearest(8): today these have group minima, and longer lists have these rows. */
const lists = (points: string) => `${beforeMinima}: nearest(8) of ${points} points`
const smallSums = `${h200}: of 16384 and 65536 points on a device with 1024 invocations: of plans with up to 256, fastest for lennard-jones-box, 2 to 4 % behind for gravity, 3 to 8 % for coulomb`

export const planModel: readonly ModelRow[] = [
  // On a processor, workgroup memory gains nothing and barriers are expensive. Several targets in registers save loads.
  row('over 8 words', 'software', all, 'naive', naive(1), never),
  row('any', 'software', all, 'naive', naive(4), software),
  row('vectors', 'any', 2048, 'components', { ...smallTile, parts: { fill: 1024 } }, notes),
  row('vectors', 'any', 8192, 'components', { ...largeTile, parts: { fill: 256 } }, notes),
  row('vectors', 'any', all, 'components', { ...largeTile, parts: { fill: 2048 } }, notes),
  row('other vectors', 'any', all, 'shared-components', { ...sharedTile, parts: { fill: 1024 } }, notes),
  row('few neighbours', 'any', 6144, 'group-minima', minima(128, 4, { tiles: 64 }), h200),
  row('few neighbours', 'any', 12288, 'group-minima', minima(128, 8, { tiles: 64 }), never),
  row('few neighbours', 'any', 131072, 'group-minima', minima(512, 8, 32), h200),
  row('few neighbours', 'any', all, 'group-minima', minima(512, 8, 64), beforeBlocks),
  // With one invocation each, so few targets would not fill a device.
  row('up to 8 words', '1024 invocations', 8192, 'sliced', sliced(1024, 32), h200),
  row('up to 8 words', 'any', 8192, 'sliced', sliced(256, 16), h200),
  row('over 8 words', 'any', 23170, 'split', list(1, 4), lists('4096 and 16384')),
  row('over 8 words', 'any', 46340, 'split', list(1, 2), never),
  row('over 8 words', 'any', 131072, 'split', list(1, 1), lists('65536')),
  row('over 8 words', 'any', all, 'split', list(2, 1), lists('262144')),
  // Workgroups of the row after these have 4096 targets, unless their registers leave room for fewer: 8232 targets would fill two of three.
  row('sum', '1024 invocations', 12288, 'sliced', sliced(1024, 32), notes),
  {
    ...row('sum', '512 invocations', 32768, 'split', split(256, 4, 8, 512), notes),
    besideMultiples: 4096,
    registers: 16,
  },
  row('sum', '512 invocations', 32768, 'split', split(512, 8, 8, 128), h200),
  row('sum', '512 invocations', 131072, 'split', split(512, 8, 8, 512), h200),
  { ...row('sum', '512 invocations', all, 'split', manySums, h200), registers: 7 },
  row('sum', '512 invocations', all, 'split', split(512, 8, 8, 2048), h200),
  row('sum', 'any', 131072, 'split', { ...split(128, 8, 8, 0), parts: 64 }, smallSums),
  row('sum', 'any', all, 'split', manySums, never),
  row('any', '512 invocations', 32768, 'split', split(512, 8, 16, 128), h200),
  row('any', '512 invocations', 131072, 'split', split(512, 8, 16, 512), beforeBlocks),
  row('any', '512 invocations', all, 'split', split(512, 8, 16, 2048), beforeBlocks),
  row('any', 'any', all, 'split', split(128, 8, 16, 1024), h200),
]

/** The first row that matches. */
export function rowFor(c: PairCase): ModelRow {
  const found = planModel.find(
    ({ fold, device, upTo, registers = all, besideMultiples }) =>
      c.targets <= upTo &&
      c.registers <= registers &&
      !(besideMultiples && fills(c.targets, besideMultiples)) &&
      folds[fold](c) &&
      devices[device](c),
  )
  if (!found) throw new Error('the last row of the plan model matches every case')
  return found
}

/** Whether targets fill workgroups of so many, but for a hundredth. */
const fills = (targets: number, each: number): boolean => targets >= 0.99 * each * Math.ceil(targets / each)

/** With at least this many sources for each target, the sources are split among many workgroups. */
const farMore = 64

/** Registers that the targets of an invocation may take before a loop spills. */
const registerBudget = 128

const inRegisters = (sizes: RowSizes, { registers }: PairCase): RowSizes => ({
  ...sizes,
  targets: Math.max(1, Math.min(sizes.targets, Math.floor(registerBudget / registers))),
})

/** The plan of the first row that matches, before it is clipped. */
export function modelPlan(c: PairCase): Plan {
  const { variant, sizes } = rowFor(c)
  if (variant === 'group-minima') return minimaPlan(sizes, c)
  const {
    workgroup,
    slices = 1,
    targets,
    unroll,
  } = variant === 'components' ? fittingTile(sizes, c) : inRegisters(sizes, c)
  const parts = partsOf(sizes, workgroup, targets, c)
  // Short slices keep sums as exact as blocks do.
  const blocks = sizes.blocks === 'long slices' ? Number(c.sources > 1024 * slices * parts) : (sizes.blocks ?? 0)
  return { variant, sizes: { workgroup, targets, unroll, slices, parts, blocks } }
}

function partsOf({ parts, slices = 1 }: RowSizes, workgroup: number, targets: number, c: PairCase): number {
  if (typeof parts === 'number') return parts
  const groups = Math.ceil((c.targets * slices) / (workgroup * targets))
  if ('slices' in parts) {
    // To measure the error of a tree, a few targets meet all sources. Only splitting the sources into parts fills the device.
    const [most, wanted] = c.sources >= farMore * c.targets ? [128, 256] : [parts.slices, 64]
    return Math.min(most, Math.ceil(wanted / groups), Math.ceil(c.sources / 1024))
  }
  if ('tiles' in parts) return Math.min(parts.tiles, Math.ceil(c.sources / workgroup))
  return Math.min(128, 2 ** Math.round(Math.log2(Math.max(1, parts.fill / groups))))
}

/** The plan of group minima: about 700 to 1400 groups, of at least 32 sources each. */
function minimaPlan(sizes: RowSizes, c: PairCase): Plan {
  const { targets, unroll } = sizes
  const workgroup = Math.min(sizes.workgroup, c.invocations)
  const group = Math.min(workgroup, Math.max(32, 2 ** Math.round(Math.log2(c.sources / 1024))))
  const parts = partsOf(sizes, workgroup, targets, c)
  return { variant: 'group-minima', sizes: { workgroup, targets, unroll, group, parts } }
}
