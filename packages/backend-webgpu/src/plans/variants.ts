/**
 * The variants of the pair loop by name, with their default sizes and where they hold sources. A caller, `plan-model.ts` or the
 * tuner decides which variant runs.
 *
 * @module
 */
import type { LoopShape } from '../design/loop-shape.ts'

/** The variants that work for every fold, starting with the plainest. */
export const plainVariants = [
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
] as const
/**
 * The variants for laws that read vectors of both points. Pairs of a tile meet component by component: for sums in registers
 * (`component-loop.ts`), and for any fold in workgroup memory (`number-loop.ts`).
 */
const componentVariants = ['components', 'shared-components'] as const
export const variants: readonly [...typeof plainVariants, 'group-minima', ...typeof componentVariants] = [
  ...plainVariants,
  'group-minima',
  ...componentVariants,
]
export type Variant = (typeof variants)[number]
/** The variant that has its own loop, in `pairs-once-loop.ts`. */
export const onceVariant = 'each-pair-once'

/** The variant that visits only pairs within a cutoff, by blocks of points; its loop is in `block-loop.ts`. */
export const blocksVariant = 'blocks'

/** The variant that visits only pairs within a cutoff in a periodic box, by a grid of cells; its loop is in `cell-loop.ts`. */
export const cellsVariant = 'cells'

/** The workloads of the variants that visit only near points. */
const nearWorkloads = {
  blocks: 'in 2-D or 3-D that have a cutoff or keep the nearest sources',
  cells:
    'in 2-D or 3-D that have a cutoff in a right-angled box that is periodic along all axes and do not keep the nearest sources',
} as const
export type NearVariant = keyof typeof nearWorkloads

/** The error for a workload that a variant is not for. */
export const notFor = (variant: NearVariant): RangeError =>
  new RangeError(`"variant" ${variant} is for workloads ${nearWorkloads[variant]}; name another variant`)

/** Whether a run of this variant leaves out pairs beyond a cutoff. */
export const leavesPairsOut = (variant: string): boolean =>
  [blocksVariant, cellsVariant].some((name) => variant.startsWith(name))

export const isVariant = (name: string): name is Variant => (variants as readonly string[]).includes(name)

/** Sizes of a plan by name. */
export interface Sizes extends Pick<LoopShape, 'workgroup' | 'targets' | 'unroll' | 'slices' | 'group'> {
  readonly parts: number
  readonly blocks: number
}

/** Sizes that a variant has only if its defaults name them. */
export const noSizes: Pick<Sizes, 'slices' | 'blocks' | 'group'> = { slices: 1, blocks: 0, group: 0 }

export const defaultSizes: Readonly<Record<Variant, Omit<Sizes, keyof typeof noSizes> & Partial<Sizes>>> = {
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
  components: { workgroup: 256, targets: 8, unroll: 8, slices: 16, parts: 1, blocks: 0 },
  'shared-components': { workgroup: 128, targets: 1, unroll: 32, slices: 2, parts: 1, blocks: 0 },
}

/** Where a variant holds sources, and whether it packs them first. The others tile sources without packing them. */
export const sourcesOf: Readonly<Partial<Record<Variant, Partial<Pick<LoopShape, 'staging' | 'packed'>>>>> = {
  naive: { staging: 'storage' },
  'grid-stride': { staging: 'storage' },
  vectorised: { staging: 'storage', packed: true },
  'tiled-vectorised': { packed: true },
  'subgroup-shuffle': { staging: 'subgroup' },
  'group-minima': { packed: true },
  components: { staging: 'components' },
  'shared-components': { staging: 'numbers' },
}
