/**
 * How numbers lie in textures. Nothing here touches a device.
 *
 * - A *flat* sheet is 256 texels wide and holds four numbers per texel, in order: what arrays and buffers are.
 * - A *paged* sheet holds one vec4 per element and page: element e, page p is the texel `(256 p + e mod 256, e div 256)`.
 *   Sources and states of sums are paged; a row of 256 sources is the block of a block sum.
 *
 * @module
 */

/** Elements per row, and terms per block: what the error bound of block sums is stated for. */
export const rowLength = 256

/** Width and height in texels. Two rows at least: gpu.js lays out a single row as it likes. */
export interface SheetSize {
  readonly width: number
  readonly height: number
}

export function flatSize(length: number): SheetSize {
  return { width: rowLength, height: Math.max(2, Math.ceil(length / (4 * rowLength))) }
}

export function pagedSize(elements: number, pages: number): SheetSize {
  return { width: rowLength * pages, height: Math.max(2, Math.ceil(elements / rowLength)) }
}

/** Pages that hold this many numbers per element. */
export function pagesFor(components: number): number {
  return Math.max(1, Math.ceil(components / 4))
}

/** Some numbers of every element of a range: `components` of them from number `offset` on. */
export interface Part {
  readonly first: number
  readonly count: number
  readonly offset: number
  readonly components: number
}

/** The texels of a paged sheet that hold a part. */
export function texelsOf({ first, count, offset, components }: Part): SheetSize & { column: number; row: number } {
  const [page, row] = [offset >> 2, Math.floor(first / rowLength)]
  const height = Math.ceil((first + count) / rowLength) - row
  return { column: rowLength * page, row, width: rowLength * (pagesFor(offset + components) - page), height }
}

/** The numbers of a part, element after element, out of those texels. */
export function unpackPaged(texels: Float32Array, part: Part): Float32Array {
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

/** Puts `components` numbers per element where a paged sheet has them. */
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

/** The lane of a vec4 in which component c of a paged sheet lies. */
export const lane = (c: number): string => 'xyzw'[c & 3] as string
