/**
 * Writes frames as XYZ: plain if they have only symbols, positions and a comment, and extended otherwise.
 *
 * @module
 */
import type { Boundary, Dimension } from '@manybody/core'
import { described, isBox, requireList, requireNames, unexpected } from './checks.ts'
import { countOf, requireFinite, textOf } from './numbers.ts'
import { type ColumnSpec, isTaken, plainColumns } from './xyz-columns.ts'
import { commentLine, extensionOf, isKnownKey } from './xyz-comment.ts'

/** A column of a frame, with one number or one word for each point and component. */
type Values = ArrayLike<number> | readonly string[]

/**
 * One frame as text. `readXyz` reads it as the same frame. Append the texts of several frames to make a film. Symbols are `X` if there are
 * none. Any other array, with one or more numbers or words per point, becomes a column of an extended file. Any other number, such as
 * the `time` of a frame, goes into its comment. A frame of a simulation has its box, too.
 *
 * @throws TypeError, RangeError if the frame does not fit an XYZ file
 */
export function writeXyz(frame: {
  readonly position: ArrayLike<number>
  readonly symbols?: readonly string[] | undefined
  readonly comment?: string | undefined
  /** 2 or 3, by default 3. Points in 2-D are written with z = 0. */
  readonly dimension?: Dimension | undefined
  readonly velocity?: ArrayLike<number> | undefined
  /** The edge vectors of the box, one after the other, `[3, 3]`. */
  readonly lattice?: ArrayLike<number> | undefined
  /** Whether the box is periodic along each edge. */
  readonly pbc?: readonly boolean[] | undefined
  /** The box of a frame of a simulation, instead of `lattice` and `pbc`. Otherwise a column or a number, as any other. */
  readonly boundary?: Boundary | Values | number | undefined
  readonly [name: string]: Values | readonly boolean[] | Boundary | string | number | undefined
}): string {
  requireNames(frame, 'frame')
  const { position, symbols, comment = '', dimension = 3, velocity, ...others } = frame
  const { boundary } = others
  const { lattice, pbc, ...rest } = isBox(boundary)
    ? { ...latticeOf(boundary), ...others, boundary: undefined }
    : others
  if (typeof comment !== 'string') throw unexpected('comment', 'text', comment)
  const count = countOf(position, dimension)
  requireFinite(position, 'position')
  if (symbols && symbols.length !== count)
    throw new RangeError(`"symbols" expected length ${count}, one per point, got ${symbols.length}`)
  if (velocity) {
    requireLength('velocity', velocity, position.length)
    requireFinite(velocity, 'velocity')
  }
  const { numbers, columns } = partsOf(rest, count)
  if (dimension === 2) numbers.push(['dimension', 2])
  const vector: ColumnSpec = { name: 'velo', type: 'R', width: 3 }
  const properties = [...plainColumns, ...(velocity ? [vector] : []), ...columns.map(([column]) => column)]
  const extended = properties.length > plainColumns.length || numbers.length > 0 || lattice || pbc || !isPlain(comment)
  const line = extended ? commentLine({ properties, ...boxOf(lattice, pbc), comment, numbers }) : comment
  const lines = [`${count}\n${line}\n`]
  for (let n = 0; n < count; n++) {
    const words = [word(symbols?.[n] ?? 'X', 'symbols', n), ...components(position, n, dimension)]
    if (velocity) words.push(...components(velocity, n, dimension))
    for (const [{ name, width, type }, values] of columns)
      for (let k = n * width; k < (n + 1) * width; k++)
        words.push(type === 'S' ? word(values[k], name, k) : textOf(values[k] as number))
    lines.push(`${words.join(' ')}\n`)
  }
  return lines.join('')
}

type Column = readonly [ColumnSpec, Values]

/** The numbers of the frame and the columns of its points. */
function partsOf(others: Readonly<Record<string, unknown>>, count: number) {
  const numbers: [string, number][] = []
  const columns: Column[] = []
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined) continue
    if (isTaken(name) || isKnownKey(name))
      throw new RangeError(`"${name}" has another meaning in an XYZ file; rename it`)
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new RangeError(`"${name}" expected a finite number, got ${value}`)
      numbers.push([name, value])
      continue
    }
    if (typeof value !== 'object' || value === null || !('length' in value))
      throw new TypeError(`"${name}" expected an array or a number, got ${typeof value}`)
    const values = value as Values
    if (!/^[^:\s][^:\n\r]*$/.test(name)) throw new RangeError(`"${name}" expected a name without colons and line ends`)
    const width = count === 0 ? 1 : values.length / count
    if (!Number.isInteger(width) || width < 1 || (count === 0 && values.length > 0))
      throw new RangeError(`"${name}" expected length ${count}, one per point, or a multiple, got ${values.length}`)
    const type = typeof values[0] === 'string' ? 'S' : 'R'
    if (type === 'R') requireFinite(values, name)
    columns.push([{ name, type, width }, values])
  }
  return { numbers, columns }
}

function boxOf(lattice: ArrayLike<number> | undefined, pbc: readonly boolean[] | undefined) {
  if (lattice) {
    requireLength('lattice', lattice, 9)
    requireFinite(lattice, 'lattice')
  }
  if (pbc) requireList(pbc, 'pbc', 'boolean', 'true or false')
  if (pbc) requireLength('pbc', pbc, 3)
  return {
    ...(lattice && { lattice: Float64Array.from(lattice) }),
    ...(pbc && { pbc: pbc as readonly [boolean, boolean, boolean] }),
  }
}

/** The edge vectors of a box, and along which of them it repeats. Open axes, and the third one in 2-D, have edges of length 1. */
function latticeOf(boundary: Boundary): { readonly lattice?: number[]; readonly pbc?: boolean[] } {
  if (boundary.kind === 'open') return {}
  const { lengths, tilts = [] } = boundary
  const [x = 0, y = 0, z = 0] = lengths
  const [xy = 0, xz = 0, yz = 0] = tilts
  return { lattice: [x || 1, 0, 0, xy, y || 1, 0, xz, yz, z || 1], pbc: [x > 0, y > 0, z > 0] }
}

function requireLength(name: string, array: ArrayLike<unknown>, length: number): void {
  if (array.length !== length) throw new RangeError(`"${name}" expected length ${length}, got ${array.length}`)
}

/** Whether a comment reads back as the same text, without `Properties`. */
function isPlain(comment: string): boolean {
  try {
    return !/[\n\r]/.test(comment) && extensionOf(comment) === undefined
  } catch {
    return false
  }
}

function components(array: ArrayLike<number>, n: number, dimension: number): string[] {
  const words = Array.from({ length: dimension }, (_, axis) => textOf(array[n * dimension + axis] as number))
  return dimension === 2 ? [...words, '0'] : words
}

/** The format has no quotes for the words of a point. */
function word(value: unknown, name: string, n: number): string {
  if (typeof value === 'string' && /^\S+$/.test(value)) return value
  throw new RangeError(`"${name}" expected words without blanks, got ${described(value)} at index ${n}`)
}
