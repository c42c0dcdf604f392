/**
 * How numbers are laid out in textures. Nothing here touches a device.
 *
 * - A *flat* sheet is 256 texels wide and holds four consecutive numbers per texel. Arrays and buffers are flat.
 * - A *paged* sheet holds one vec4 per element and page: page p of element e is the texel `(256 p + e mod 256, e div 256)`.
 *   Packed sources and the states of folds are paged; a row of 256 sources is the block of a block sum.
 *
 * @module
 */

/** Elements per row, which are also the terms of one block: the error bound of block sums assumes this size. */
export const rowLength = 256

/** Width and height in texels. A sheet has at least two rows, because gpu.js lays out a single row differently. */
export interface SheetSize {
  readonly width: number
  readonly height: number
}

export function flatSize(length: number): SheetSize {
  return { width: rowLength, height: Math.max(2, Math.ceil(length / (4 * rowLength))) }
}

/** A rectangle of texels in a sheet. */
export interface Texels extends SheetSize {
  readonly column: number
  readonly row: number
}

/** The texels of a flat sheet that hold `length` numbers from `first` on: part of a row, or whole rows. */
export function flatTexels(first: number, length: number): Texels {
  const [from, to] = [first >> 2, Math.ceil((first + length) / 4)]
  const [row, end] = [Math.floor(from / rowLength), Math.ceil(to / rowLength)]
  if (end - row > 1) return { column: 0, row, width: rowLength, height: end - row }
  return { column: from - rowLength * row, row, width: to - from, height: 1 }
}

export function pagedSize(elements: number, pages: number): SheetSize {
  return { width: rowLength * pages, height: Math.max(2, Math.ceil(elements / rowLength)) }
}

/**
 * How one draw makes a sheet: as `across` times `down` tiles of the same size, all drawn at the same time. A tile is as wide as
 * a page, or as the sheet.
 */
export interface SheetTiles {
  readonly across: number
  readonly down: number
}

export const wholeSheet: SheetTiles = { across: 1, down: 1 }

/** The size of a paged sheet that can be drawn as these tiles. */
export function tiledSize(elements: number, pages: number, { down }: SheetTiles): SheetSize {
  const { width, height } = pagedSize(Math.ceil(elements / down), pages)
  return { width, height: down * height }
}

/** Number of pages that hold this many numbers per element. */
export function pagesFor(components: number): number {
  return Math.max(1, Math.ceil(components / 4))
}

/** Some numbers of `count` elements: `components` of each, starting at number `offset`. */
export interface SheetPart {
  readonly first: number
  readonly count: number
  readonly offset: number
  readonly components: number
}

/** The texels of a paged sheet that hold a part. */
export function texelsOf({ first, count, offset, components }: SheetPart): Texels {
  const [page, row] = [offset >> 2, Math.floor(first / rowLength)]
  const height = Math.ceil((first + count) / rowLength) - row
  return { column: rowLength * page, row, width: rowLength * (pagesFor(offset + components) - page), height }
}

/** The numbers of a part, element after element, from those texels. */
export function unpackPaged(texels: Float32Array, part: SheetPart): Float32Array {
  const { width } = texelsOf(part)
  const { first, count, offset, components } = part
  const numbers = new Float32Array(count * components)
  const [firstElement, firstLane] = [first % rowLength, offset & 3]
  for (let n = 0; n < count; n++) {
    const element = firstElement + n
    const at = Math.floor(element / rowLength) * width + (element % rowLength)
    for (let c = 0; c < components; c++) {
      const lane = firstLane + c
      numbers[n * components + c] = texels[4 * (at + rowLength * (lane >> 2)) + (lane & 3)] as number
    }
  }
  return numbers
}

/** The texels of a paged sheet with `components` numbers per element. */
export function packPaged(
  elements: number,
  components: number,
  value: (element: number, component: number) => number,
): Float32Array {
  const { width, height } = pagedSize(elements, pagesFor(components))
  const packed = new Float32Array(4 * width * height)
  for (let e = 0; e < elements; e++)
    for (let c = 0; c < components; c++) {
      const column = rowLength * (c >> 2) + (e % rowLength)
      packed[4 * (Math.floor(e / rowLength) * width + column) + (c & 3)] = value(e, c)
    }
  return packed
}

/** The lane of a vec4 that holds component c in a paged sheet. */
export const lane = (c: number): string => 'xyzw'[c & 3] as string
