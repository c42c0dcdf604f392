/**
 * XYZ files: the number of points, a comment, then a symbol and three coordinates for each point; and the same again for each further
 * frame. In extended XYZ, `Properties=...` in the comment names the columns. This file reads; `write-xyz.ts` writes.
 *
 * @module
 */
import { defineOwn } from './define-own.ts'
import { FileFormatError } from './file-format-error.ts'
import { grouped, type ItemGroup } from './grouped.ts'
import { numberIn, parsedNumber, wordsOf } from './numbers.ts'
import { type FileSource, linesOf } from './source.ts'
import type { ColumnSpec, Part } from './xyz-columns.ts'
import { truthOf } from './xyz-comment.ts'
import { type Header, headerOf } from './xyz-header.ts'

/**
 * A frame. In an extended file, it also has each further column by its name, `[count, width]`, with truth values as 0 and 1, and each
 * number of the comment, such as `energy`.
 */
export interface XyzFrame {
  readonly comment: string
  /** One symbol for each point, such as `O`. Without a column `species` or `element`, they are the types or the atomic numbers. */
  readonly symbols: readonly string[]
  /** `[count, 3]`; `[count, 2]` if the dimension is 2. */
  readonly position: Float64Array
  /** 2 for points that `writeXyz` wrote in 2-D; other files do not say. */
  readonly dimension?: 2 | 3
  readonly velocity?: Float64Array
  /** The edge vectors of the box, one after the other, `[3, 3]`. */
  readonly lattice?: Float64Array
  /** Whether the box is periodic along each edge. If a file has a lattice and no `pbc`, all edges are periodic. */
  readonly pbc?: readonly [boolean, boolean, boolean]
  readonly [name: string]: Float64Array | readonly string[] | readonly boolean[] | string | number | undefined
}

/** The frames of a file, one after the other. @throws {@link FileFormatError} with the line */
export function readXyz(source: FileSource): AsyncGenerator<XyzFrame, void> {
  return grouped(framesOf(source))
}

/** Frames in a group. Larger groups live longer, and garbage collection of long-lived arrays costs more than a wait. */
const mostFrames = 64

/** The frames in the order of their last lines. */
async function* framesOf(source: FileSource): AsyncGenerator<ItemGroup<XyzFrame>, void> {
  let line = 0
  let frame: FrameReader | undefined
  // Most frames have the same header as the frame before.
  let header: Header | undefined
  for await (const lines of linesOf(source, 'XYZ')) {
    let items: XyzFrame[] = []
    try {
      for (const text of lines) {
        line++
        if (!frame) {
          const count = text === '' ? '' : text.trim()
          if (count !== '') frame = new FrameReader(count, line, header)
          continue
        }
        const whole = frame.take(text, line)
        if (!whole) continue
        header = frame.header
        frame = undefined
        if (items.push(whole) < mostFrames) continue
        yield { items }
        items = []
      }
    } catch (failure) {
      // The frames before the fault are good.
      yield { items, failure }
      return
    }
    yield { items }
  }
  if (frame) throw new FileFormatError('XYZ', `line ${line + 1}`, `expected ${frame.awaited}, got the end of the file`)
}

/** Collects the lines of a frame. */
class FrameReader {
  /** Known after the comment line. */
  header: Header | undefined
  readonly #count: number
  readonly #before: Header | undefined
  /** The values of each column. */
  #values: readonly (number | string)[][] = []
  #taken = 0

  constructor(text: string, line: number, before: Header | undefined) {
    const count = numberIn(text, 'number of points', 'XYZ', line)
    if (!Number.isSafeInteger(count) || count < 0)
      throw new FileFormatError('XYZ', `line ${line}`, `"number of points" expected integer >= 0, got ${count}`)
    this.#count = count
    this.#before = before
  }

  /** A name for the next expected line. */
  get awaited(): string {
    return this.header ? `point ${this.#taken + 1} of ${this.#count}` : 'a comment'
  }

  /** Takes a line. Returns the frame if this line is its last. */
  take(text: string, line: number): XyzFrame | undefined {
    if (this.header) this.#takePoint(wordsOf(text), this.header, line)
    else this.header = this.#before?.line === text ? this.#before : headerAt(text, line)
    return this.#taken === this.#count ? this.#frame(this.header) : undefined
  }

  #takePoint(words: readonly string[], { columns, width }: Header, line: number): void {
    if (this.#taken === 0) this.#values = columns.map(() => [])
    if (width === undefined) requirePlain(words, line)
    else if (words.length !== width)
      throw fault(line, `expected ${width} columns, those of "Properties", got ${words.length}`)
    let at = 0
    for (let k = 0; k < columns.length; k++) {
      const column = columns[k] as ColumnSpec
      for (let n = 0; n < column.width; n++) this.#values[k]?.push(valueIn(words[at++], column, n, line))
    }
    this.#taken++
  }

  #frame({ roles, numbers, flat: told, comment, lattice, pbc }: Header): XyzFrame {
    const { position, velocity, symbols, others } = roles
    const flat = told && this.#isFlat(position) && (!velocity || this.#isFlat(velocity))
    const vector = (part: Part) =>
      flat && part.width === 3 ? this.#numbers(part).filter((_, n) => n % 3 < 2) : this.#numbers(part)
    // An engine makes a new hidden class for each new name, unless the object begins without one.
    const named = numbers.length + others.length > 0
    const frame: Record<string, unknown> = named ? Object.create(null) : {}
    frame.comment = comment
    frame.symbols = symbols ? (this.#values[symbols.at] ?? []).map(String) : new Array<string>(this.#count).fill('X')
    frame.position = vector(position)
    if (flat || position.width === 2) frame.dimension = 2
    if (velocity) frame.velocity = vector(velocity)
    if (lattice) frame.lattice = lattice.slice()
    if (pbc) frame.pbc = [...pbc]
    for (const [name, value] of numbers) defineOwn(frame, name, value)
    for (const part of others)
      defineOwn(frame, part.name, part.type === 'S' ? (this.#values[part.at] ?? []) : this.#numbers(part))
    return (named ? Object.setPrototypeOf(frame, Object.prototype) : frame) as XyzFrame
  }

  #numbers({ at }: Part): Float64Array {
    const values = this.#values[at] ?? []
    // For a frame without points, V8 creates an empty array faster from a list than from a length, and other arrays slower.
    if (values.length === 0) return new Float64Array([])
    const numbers = new Float64Array(values.length)
    for (let n = 0; n < values.length; n++) numbers[n] = values[n] as number
    return numbers
  }

  /** Whether the third coordinates, if any, are all 0. */
  #isFlat({ at, width }: Part): boolean {
    return width === 2 || (this.#values[at] ?? []).every((value, n) => n % 3 < 2 || value === 0)
  }
}

const fault = (line: number, reason: string) => new FileFormatError('XYZ', `line ${line}`, reason)

function headerAt(text: string, line: number): Header {
  try {
    return headerOf(text)
  } catch (error) {
    throw fault(line, error instanceof Error ? error.message : String(error))
  }
}

/** Requires a plain line: a symbol, then coordinates. Further columns behind the coordinates are ignored. */
function requirePlain(words: readonly string[], line: number): void {
  // In files without symbols, the columns come in any order: `id type x y z`.
  if (words.length > 4 && !Number.isNaN(parsedNumber(words[0] ?? '')))
    throw fault(
      line,
      `expected a symbol and 3 coordinates, got ${words.length} columns that begin with a number; say in the comment what they are, such as Properties=id:I:1:type:I:1:pos:R:3`,
    )
}

function valueIn(word: string | undefined, column: ColumnSpec, n: number, line: number): number | string {
  const { type } = column
  if (type === 'S') return word ?? ''
  const name = column.name === 'pos' ? 'xyz'.charAt(n) : column.name
  const wrong = (expected: string) =>
    fault(line, `"${name}" expected ${expected}, got ${JSON.stringify(word?.slice(0, 40))}`)
  if (type === 'L') {
    const truth = truthOf(word ?? '')
    if (truth === undefined) throw wrong('T or F')
    return truth ? 1 : 0
  }
  const value = numberIn(word, name, 'XYZ', line)
  if (type === 'I' && !Number.isInteger(value)) throw wrong('an integer')
  return value
}
