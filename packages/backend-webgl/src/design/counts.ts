/**
 * The parts of a pass that depend on the numbers of points: its size, and the macros in its text. So the text is the same for
 * any number of points, and the compiler of a driver still sees constants.
 *
 * @module
 */
import { flatSize, pagedSize, rowLength, type SheetSize, type SheetTiles, tiledSize, wholeSheet } from './layout.ts'

export interface PassCounts {
  readonly size: SheetSize
  readonly tiles?: SheetTiles
  /** The values of macros, by name. */
  readonly counts?: Readonly<Record<string, number>>
}

/** In maps and stencils: the number of elements. */
export const elementsMacro = 'ELEMENTS'
/** In matrices: the number of texels in a row. */
export const quadsMacro = 'QUADS'
/** In loops over pairs: the number of rows of sources, and of targets in a tile. */
export const sourceRowsMacro = 'SOURCE_ROWS'
export const tileTargetsMacro = 'TILE_TARGETS'

/** A pass for these numbers of points. It gets the macros that its text names. */
export function counted<Pass extends { readonly glsl: string }>(
  pass: Pass,
  { counts = {}, ...sizes }: PassCounts,
): Pass & PassCounts {
  const named = Object.entries(counts).filter(([name]) => pass.glsl.includes(name))
  return { ...pass, ...sizes, ...(named.length > 0 && { counts: Object.fromEntries(named) }) }
}

/** The facts that decide how many targets a loop over pairs folds at the same time. */
export interface TileRule {
  /** Number of sheets of texels that a shader can draw at the same time. */
  readonly outputs: number
  /** The most targets that a loop over pairs folds at the same time, so that it reads each source once for all of them. */
  readonly targets: number
  /** Rows of targets that every tile needs before a loop folds one more at a time: fewer leave the device partly idle. */
  readonly tileRows: number
}

/** The tiles of the states of all targets: all pages of as many targets as a loop should fold at the same time. */
export function tilesOf({ outputs, targets: most, tileRows }: TileRule, pages: number, targets: number): SheetTiles {
  if (pages > outputs) return wholeSheet
  const filled = Math.floor(targets / (rowLength * tileRows))
  return { across: pages, down: Math.max(1, Math.min(most, filled, Math.floor(outputs / pages))) }
}

export const packCounts = (pages: number, sources: number): PassCounts => ({ size: pagedSize(sources, pages) })

export function loopCounts(pages: number, tiles: SheetTiles, targets: number, sources: number): PassCounts {
  const size = tiledSize(targets, pages, tiles)
  return {
    size,
    tiles,
    counts: {
      [sourceRowsMacro]: Math.ceil(sources / rowLength),
      [tileTargetsMacro]: (size.height / tiles.down) * rowLength,
    },
  }
}

export const elementCounts = (pages: number, elements: number): PassCounts => ({
  size: pagedSize(elements, pages),
  counts: { [elementsMacro]: elements },
})

/** Texels that one pass of a matrix writes: 4 MiB, which take a fraction of a second even without a GPU. */
const passTexels = 2 ** 18

/**
 * @param work of a pair, in that of a short law: 1 without vectors
 * @returns also the rows that one pass writes, and the numbers in a row, which fill whole texels
 */
export function matrixCounts(
  targets: number,
  sources: number,
  work = 1,
): { readonly rows: number; readonly stride: number; readonly loop: PassCounts } {
  const quads = Math.ceil(sources / 4)
  const rows = Math.max(1, Math.min(targets, Math.floor(passTexels / (work * Math.max(1, quads)))))
  return { rows, stride: 4 * quads, loop: { size: flatSize(4 * quads * rows), counts: { [quadsMacro]: quads } } }
}
