// The plans to time next to the backend's own choice, by size. Plain data.

import type { Plan } from '@manybody/core'
import {
  blocksVariant,
  cellsVariant,
  onceVariant,
  plainVariants,
} from '../../packages/backend-webgpu/src/plans/variants.ts'

/** Plans without tiles or splitting are timed only up to this number of points. */
const slowLimit = 65536

const blockSizes = [64, 128, 256, 512, 1024]

const split = (workgroup: number, targets: number, unroll: number, parts: number, blocks = 0): Plan => ({
  variant: 'split',
  sizes: { workgroup, targets, unroll, parts, blocks },
})
const sliced = (workgroup: number, slices: number, targets: number, unroll: number, parts = 1): Plan => ({
  variant: 'sliced',
  sizes: { workgroup, slices, targets, unroll, parts, blocks: 0 },
})

const once = (targets: number, unroll: number, offsets: number): Plan => ({
  variant: onceVariant,
  sizes: { targets, unroll, offsets },
})

/** Every variant at every block size, as papers print them. */
export function ladderPlans(n: number): readonly Plan[] {
  const slow: readonly string[] = n > slowLimit ? ['naive', 'grid-stride', 'vectorised', 'tiled'] : []
  const timed = plainVariants.filter((variant) => !slow.includes(variant))
  return timed.flatMap((variant) =>
    blockSizes
      .filter((workgroup) => variant !== 'sliced' || workgroup >= 256 || n <= slowLimit)
      .map((workgroup): Plan => ({ variant, sizes: { workgroup } })),
  )
}

const nearPlan =
  (variant: string) =>
  ([workgroup, targets, unroll]: readonly [number, number, number]): Plan => ({
    variant,
    sizes: { workgroup, targets, unroll },
  })

/**
 * Blocks of near points, for laws with a cutoff: with various numbers of targets and of invocations. Each invocation tests one box at a
 * time.
 */
export const blockPlans: readonly Plan[] = (
  [
    [64, 32, 4],
    [64, 32, 8],
    [64, 32, 2],
    [64, 16, 4],
    [64, 64, 4],
    [32, 32, 4],
    [128, 32, 4],
  ] as const
).map(nearPlan(blocksVariant))

/** The same by cells, for laws in a periodic box. */
export const cellPlans: readonly Plan[] = (
  [
    [64, 64, 2],
    [64, 32, 2],
    [64, 16, 2],
    [64, 8, 2],
    [64, 64, 1],
    [128, 128, 2],
  ] as const
).map(nearPlan(cellsVariant))

/** Plans near the best known plan for a size. */
export function bestPlans(n: number): readonly Plan[] {
  if (n <= 8192)
    return [
      sliced(1024, 32, 1, 8),
      sliced(1024, 32, 2, 8),
      sliced(1024, 16, 1, 8),
      sliced(512, 16, 1, 8),
      sliced(256, 8, 1, 8),
      sliced(256, 4, 1, 8),
      sliced(256, 4, 1, 8, 2),
      sliced(256, 8, 2, 8),
      sliced(256, 8, 2, 8, 2),
      sliced(512, 16, 2, 8),
      split(128, 4, 8, 32),
      split(128, 2, 8, 32),
    ]
  if (n <= 131072)
    return [
      split(512, 8, 16, 32),
      split(512, 8, 16, 16),
      split(512, 8, 16, 64),
      split(512, 8, 8, 32),
      split(256, 8, 16, 32),
      split(256, 8, 16, 64),
      split(512, 4, 16, 16),
      split(256, 8, 16, 32, 1),
      split(128, 16, 2, 128),
      split(128, 16, 4, 128),
      split(128, 8, 8, 64),
      ...[4, 8, 16].flatMap((targets) => [1, 3].map((offsets) => once(targets, 4, offsets))),
    ]
  return [
    split(128, 16, 2, 128),
    split(128, 16, 2, 32),
    split(128, 16, 4, 32),
    split(128, 16, 2, 32, 1),
    split(128, 8, 4, 32),
    split(256, 8, 8, 32),
    split(512, 8, 8, 32),
    split(512, 8, 16, 16),
    split(512, 4, 16, 16),
    split(256, 16, 2, 32),
    ...[8, 16].flatMap((targets) => [1, 3].map((offsets) => once(targets, 4, offsets))),
  ]
}
