/**
 * A sum through a grid as data: the dispatches in order, and the arrays that they read and write.
 *
 * @module
 */
import type { GridSum } from '@manybody/core/backend'
import type { Dispatch } from './shader.ts'

/** The keys of the arrays that a run writes, and of the one that it reads. */
export const gridKeys = {
  /** Coordinates as shares of the edges of the box, in units of 2^-32. */
  shares: (side: GridSide): string => `${side}.shares`,
  /** The weights of the sources, one weight after the other. */
  weights: 'weights',
  /** The fields at the targets. */
  found: 'found',
  /** Of stages of a sequence: the positions of the points, and the numbers of each weight and of each field. */
  position: 'position',
  weight: (n: number): string => `weight.${n}`,
  field: (n: number): string => `field.${n}`,
} as const

/** Targets that are the sources have no arrays of their own. */
export type GridSide = 'sources' | 'targets'

export interface GridDesign {
  readonly dispatches: readonly Dispatch[]
  /** Bytes of all arrays by key. */
  readonly arrays: Readonly<Record<string, number>>
  /** The contents of arrays that no run changes. */
  readonly tables: () => Readonly<Record<string, Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>>
}

/** The numbers of points. Targets are undefined if they are the sources. */
export interface GridCounts {
  readonly sources: number
  readonly targets: number | undefined
}

/** The limits of a device that decide which sums it takes. */
interface GridLimits {
  readonly maxComputeWorkgroupStorageSize: number
  readonly maxStorageBufferBindingSize: number
  readonly maxBufferSize: number
}

/** Designs of sums, as the compiling half makes them. */
export interface GridDesigner {
  /** Undefined if a line or an array is too large for the device. */
  sum(sum: GridSum, counts: GridCounts, limits: GridLimits): GridDesign | undefined
  /** The sum of a stage: it takes positions and weights from arrays of a sequence, and fields go to others. */
  stage(sum: GridSum, points: number, limits: GridLimits): GridDesign | undefined
}
