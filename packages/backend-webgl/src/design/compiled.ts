/**
 * The contents of a file for this backend: designs without the numbers that depend on the counts of points.
 *
 * @module
 */
import type { Guard, GuardRule } from '@manybody/core/backend'
import type { PassCounts, TileRule } from './counts.ts'
import type { ElementDesign, MatrixDesign, PairDesign } from './design.ts'
import type { DeviceFacts } from './facts.ts'
import { type SheetTiles, wholeSheet } from './layout.ts'
import type { PassSource } from './pass.ts'

/** One entry for each form of the numbers of a run. */
export type CompiledWebGl = readonly FiledForm[]

export interface FiledForm {
  /** Whether coordinates are split, and lengths in another unit, as in a shape. */
  readonly split: boolean
  readonly scaled: boolean
  readonly rule: GuardRule
  /** By the names of dialects (`dialectName`). */
  readonly dialects: Readonly<Record<string, FiledDialect>>
}

/** The designs for one dialect of GLSL. */
export interface FiledDialect {
  readonly tiling: Omit<TileRule, 'outputs'>
  /** By the tiles of the loop (`tilesKey`), then by the guard. */
  readonly designs: Readonly<Record<string, FiledGuards>>
}

export type FiledGuards = { readonly [G in `${Guard}`]?: FiledDesign }

/** A pass for any number of points, with the number of pages that it writes. */
type FiledPass = Omit<PassSource, keyof PassCounts> & { readonly pages: number }

type FiledOf<D extends PairDesign | MatrixDesign | ElementDesign> = Omit<D, 'passes'> & {
  readonly passes: readonly FiledPass[]
}

export type FiledDesign = FiledOf<PairDesign> | FiledOf<MatrixDesign> | FiledOf<ElementDesign>

/** The name of the dialect of a device. GLSL ES 1.00 is the same on all. */
export function dialectName({ version, kind }: Pick<DeviceFacts, 'version' | 'kind'>): string {
  const reads = kind === 'hardware' ? 'fetched' : 'sampled'
  return version === 1 ? '1' : `2 ${reads}`
}

/** The key of a loop over pairs that draws these tiles; all others have the key of one tile. */
export const tilesKey = ({ across, down }: SheetTiles = wholeSheet): string => `${across} ${down}`
