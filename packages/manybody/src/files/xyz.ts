/**
 * XYZ files: the number of points, a comment, then a symbol and three coordinates for each point; and the same again for each
 * further frame. If the comment has `Properties=...`, as in extended XYZ, it says what the columns are. This file reads; `write-xyz.ts`
 * writes.
 *
 * @module
 */
import { defineOwn } from './define-own.ts'
import { FileFormatError } from './file-format-error.ts'
import { numberIn, parsedNumber, wordsOf } from './numbers.ts'
import { type FileSource, linesOf } from './source.ts'
import { type ColumnSpec, isTaken, type Part, plainColumns, type Roles, rolesOf } from './xyz-columns.ts'
import { type Extension, extensionOf, truthOf } from './xyz-comment.ts'

/**
 * A frame. Of an extended file, it also has each further column by its name, `[count, width]`, truth values as 0 and 1; and
 * each number of the comment, such as `energy`.
 */
export interface XyzFrame {
  readonly comment: string
  /** One for each point, such as `O`. Without a column `species` or `element`, they are the types or the atomic numbers. */
  readonly symbols: readonly string[]
  /** `[count, 3]`; `[count, 2]` if the dimension is 2. */
  readonly position: Float64Array
  /** 2 for points that `writeXyz` wrote in 2-D; other files do not tell. */
  readonly dimension?: 2 | 3
  readonly velocity?: Float64Array
  /** The edges of the box, one after the other, `[3, 3]`. */
  readonly lattice?: Float64Array
  /** Whether the box is periodic along each edge. A file with a lattice that says nothing means along all. */
  readonly pbc?: readonly [boolean, boolean, boolean]
  readonly [name: string]: Float64Array | readonly string[] | readonly boolean[] | string | number | undefined
}

/** The frames of a file, one after the other. @throws {@link FileFormatError} with the line */
export async function* readXyz(source: FileSource): AsyncGenerator<XyzFrame, void> {
  let line = 0
  let frame: FrameReader | undefined
  for await (const lines of linesOf(source, 'XYZ'))
    for (const text of lines) {
      line++
      if (!frame) {
        const count = text === '' ? '' : text.trim()
        if (count !== '') frame = new FrameReader(count, line)
        continue
      }
      const whole = frame.take(text, line)
      if (!whole) continue
      frame = undefined
      yield whole
    }
  if (frame) throw new FileFormatError('XYZ', `line ${line + 1}`, `expected ${frame.awaited}, got the end of the file`)
}

/** The columns of a frame. Most files have the same in every frame. */
interface Layout {
  readonly columns: readonly ColumnSpec[]
  readonly roles: Roles
  /** How many words a line has; undefined if it may have more than `columns` has. */
  readonly width: number | undefined
}

const plainLayout: Layout = { columns: plainColumns, roles: rolesOf(plainColumns), width: undefined }

function layoutOf(columns: readonly ColumnSpec[] | undefined): Layout {
  if (!columns) return plainLayout
  return { columns, roles: rolesOf(columns), width: columns.reduce((sum, { width }) => sum + width, 0) }
}

/** Takes the lines of a frame. */
class FrameReader {
  readonly #count: number
  #extension: Extension | undefined
  #comment = ''
  /** Known after the comment. */
  #layout: Layout | undefined
  /** The values of each column. */
  #values: (number | string)[][] = []
  #taken = 0

  constructor(text: string, line: number) {
    const count = numberIn(text, 'number of points', 'XYZ', line)
    if (!Number.isSafeInteger(count) || count < 0)
      throw new FileFormatError('XYZ', `line ${line}`, `"number of points" expected integer >= 0, got ${count}`)
    this.#count = count
  }

  /** What the next line should be. */
  get awaited(): string {
    return this.#layout ? `point ${this.#taken + 1} of ${this.#count}` : 'a comment'
  }

  /** The frame if this line is its last. */
  take(text: string, line: number): XyzFrame | undefined {
    if (this.#layout) this.#takePoint(wordsOf(text), this.#layout, line)
    else this.#layout = this.#takeComment(text, line)
    return this.#taken === this.#count ? this.#frame(this.#layout.roles) : undefined
  }

  #takeComment(text: string, line: number): Layout {
    try {
      this.#extension = extensionOf(text)
      this.#comment = this.#extension?.comment ?? text
      const layout = layoutOf(this.#extension?.properties)
      this.#values = layout.columns.map(() => [])
      return layout
    } catch (error) {
      throw new FileFormatError('XYZ', `line ${line}`, error instanceof Error ? error.message : String(error))
    }
  }

  #takePoint(words: readonly string[], { columns, width }: Layout, line: number): void {
    if (width === undefined) requirePlain(words, line)
    else if (words.length !== width)
      throw fault(line, `expected ${width} columns, those of "Properties", got ${words.length}`)
    let at = 0
    for (const [k, column] of columns.entries())
      for (let n = 0; n < column.width; n++) this.#values[k]?.push(valueIn(words[at++], column, n, line))
    this.#taken++
  }

  #frame({ position, velocity, symbols, others }: Roles): XyzFrame {
    const { numbers = [], lattice, pbc } = this.#extension ?? {}
    const told = numbers.some(([name, value]) => name === 'dimension' && value === 2)
    const flat = told && this.#isFlat(position) && (!velocity || this.#isFlat(velocity))
    const vector = (part: Part) =>
      flat && part.width === 3 ? this.#numbers(part).filter((_, n) => n % 3 < 2) : this.#numbers(part)
    const frame: Record<string, unknown> = {}
    for (const [name, value] of numbers) if (!isTaken(name)) defineOwn(frame, name, value)
    for (const part of others)
      defineOwn(frame, part.name, part.type === 'S' ? this.#values[part.at] : this.#numbers(part))
    frame.comment = this.#comment
    frame.symbols = symbols ? this.#values[symbols.at]?.map(String) : Array.from({ length: this.#count }, () => 'X')
    frame.position = vector(position)
    if (flat || position.width === 2) frame.dimension = 2
    if (velocity) frame.velocity = vector(velocity)
    if (lattice) frame.lattice = lattice
    if (pbc) frame.pbc = pbc
    return frame as unknown as XyzFrame
  }

  #numbers({ at }: Part): Float64Array {
    return new Float64Array((this.#values[at] ?? []) as readonly number[])
  }

  /** Whether the third numbers, if there are any, are 0. */
  #isFlat({ at, width }: Part): boolean {
    return width === 2 || (this.#values[at] ?? []).every((value, n) => n % 3 < 2 || value === 0)
  }
}

const fault = (line: number, reason: string) => new FileFormatError('XYZ', `line ${line}`, reason)

/** Further columns behind the coordinates are ignored. */
function requirePlain(words: readonly string[], line: number): void {
  // In files without symbols, the columns are in any order: `id type x y z`.
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
