/**
 * Reads points as comma-separated values: a line of names, then a line of numbers for each point. `x`, `y`, `z` are the position, `vx`,
 * `vy`, `vz` the velocity, and all other columns attributes. `write-csv.ts` writes such files.
 *
 * This is our own parser, because most of the work is in names, numbers and the places of errors. Splitting lines is a tenth of it. See
 * `docs/notes/files.md`.
 *
 * @module
 */
import { requireList, requireNames, requireNumber, unexpected } from './checks.ts'
import { FieldReader, type Separator, separatorOf } from './csv-fields.ts'
import { components, inSmallLetters, nameFault, vectors } from './csv-names.ts'
import { defineOwn } from './define-own.ts'
import { FileFormatError } from './file-format-error.ts'
import { numberIn, parsedNumber } from './numbers.ts'
import { type FileSource, linesOf } from './source.ts'

/** Arrays by name, as `engine.simulate` and `engine.run` take them, and a list of words for each column that is read as text. */
export interface CsvPoints<Text extends string = never> {
  readonly position: Float64Array
  readonly velocity?: Float64Array
  /** 2 if there is no column `z`. */
  readonly dimension: 2 | 3
  readonly [attribute: string]: Float64Array | 2 | 3 | undefined | ([Text] extends [never] ? never : readonly string[])
}

export interface CsvOptions<Text extends string = never> {
  /** Columns to read as text, such as names, or identifiers of more than 15 digits. */
  readonly text?: readonly Text[]
  /** Other names for columns: `{ 'x [kpc]': 'x' }`. */
  readonly names?: Readonly<Record<string, string>>
  /** The number to use where the file has nothing, NaN, NA or null for an attribute. Without this option, such files are rejected. */
  readonly missing?: number
}

/**
 * The separator may be a comma, a semicolon (numbers may then have decimal commas), a tab or blanks. Lines that begin with `#` are
 * comments, and the last of them may hold the names. A column without a name, such as row numbers, is not read.
 *
 * @throws {@link FileFormatError} with the line; TypeError, RangeError for options
 */
export async function readCsv<const Text extends string = never>(
  source: FileSource,
  options: CsvOptions<Text> = {},
): Promise<CsvPoints<Text>> {
  const table = new Table(checked(options))
  let line = 0
  for await (const lines of linesOf(source, 'CSV')) for (const text of lines) table.take(text, ++line)
  return table.points() as CsvPoints<Text>
}

function checked(options: CsvOptions<string>): CsvOptions<string> {
  requireNames(options, 'options of readCsv', 'text, names, missing')
  for (const name of Object.keys(options))
    if (!['text', 'names', 'missing'].includes(name)) throw new TypeError(`"${name}" is not an option of readCsv`)
  const { text, names, missing } = options
  if (missing !== undefined) requireNumber(missing, 'missing')
  if (text !== undefined) requireList(text, 'text', 'string', 'names of columns')
  if (names === undefined) return options
  requireNames(names, 'names', 'names of columns')
  for (const [name, own] of Object.entries<unknown>(names))
    if (typeof own !== 'string') throw unexpected(`names.${name}`, 'the name of a column', own)
  return options
}

interface Column {
  readonly name: string
  readonly text: boolean
  /** Whether the column belongs to a vector. */
  readonly component: boolean
  readonly values: (number | string)[]
}

const withoutNumber: readonly string[] = ['', 'nan', 'na', 'n/a', 'null']

class Table {
  readonly #options: CsvOptions<string>
  #fields: FieldReader | undefined
  #separator: Separator = ','
  /** The columns in the order of the file; undefined for a column that is not read. */
  #columns: readonly (Column | undefined)[] | undefined
  #comment: string | undefined
  /** The decimal mark of the numbers so far. */
  #decimal: string | undefined

  constructor(options: CsvOptions<string>) {
    this.#options = options
  }

  take(text: string, line: number): void {
    if (this.#fields?.openSince === undefined) {
      const begin = text.charCodeAt(0) > 35 ? text : text.trimStart()
      if (begin === '') return
      if (begin.startsWith('#')) {
        this.#comment = begin
        return
      }
    }
    this.#separator = this.#fields ? this.#separator : separatorOf(text)
    this.#fields ??= new FieldReader(this.#separator)
    const fields = this.#fields.take(text, line)
    if (!fields) return
    if (this.#columns) this.#takePoint(fields, line)
    else this.#takeNames(fields, line)
  }

  #takeNames(fields: readonly string[], line: number): void {
    const numeric = fields.every((field) => field === '' || !Number.isNaN(parsedNumber(field)))
    if (!numeric) {
      this.#columns = this.#columnsOf(fields, line)
      return
    }
    // NumPy writes the names in a comment.
    const comment = this.#comment?.replace(/^#+/, '').trim() ?? ''
    const names = comment === '' ? [] : (new FieldReader(separatorOf(comment)).take(comment, line) ?? [])
    if (names.length !== fields.length) {
      const before = this.#comment === undefined ? '' : ` behind ${JSON.stringify(this.#comment.slice(0, 60))}`
      const got = JSON.stringify(fields.join(this.#separator).slice(0, 60))
      throw new FileFormatError('CSV', `line ${line}`, `expected names, such as x,y,z,mass, got ${got}${before}`)
    }
    this.#columns = this.#columnsOf(names, line)
    this.#takePoint(fields, line)
  }

  #columnsOf(given: readonly string[], line: number): readonly (Column | undefined)[] {
    const { names: others = {}, text = [] } = this.#options
    const fault = (reason: string) => new FileFormatError('CSV', `line ${line}`, reason)
    const names = inSmallLetters(given.map((name) => (Object.hasOwn(others, name) && others[name]) || name))
    const unknown = Object.keys(others).find((name) => !given.includes(name))
    if (unknown !== undefined) throw fault(`expected a column ${JSON.stringify(unknown)}, which "names" has`)
    const stranger = text.find((name) => !names.includes(name))
    if (stranger !== undefined) throw fault(`expected a column ${JSON.stringify(stranger)}, which "text" has`)
    const axis = text.find((name) => components.includes(name))
    if (axis !== undefined) throw new RangeError(`"text" expected attributes, got "${axis}"`)
    const reason = nameFault(names)
    if (reason !== undefined) throw fault(reason)
    const component = (name: string) => components.includes(name)
    return names.map((name) =>
      name === '' ? undefined : { name, text: text.includes(name), component: component(name), values: [] },
    )
  }

  #takePoint(fields: readonly string[], line: number): void {
    const columns = this.#columns ?? []
    if (fields.length !== columns.length)
      throw new FileFormatError('CSV', `line ${line}`, `expected ${columns.length} fields, got ${fields.length}`)
    for (let n = 0; n < fields.length; n++) {
      const column = columns[n]
      const field = fields[n] ?? ''
      column?.values.push(column.text ? field : this.#numberOf(field, column, line))
    }
  }

  #numberOf(given: string, { name, component }: Column, line: number): number {
    const field = this.#separator === ';' ? this.#withPoint(given, line) : given
    const value = parsedNumber(field)
    if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value
    const { missing } = this.#options
    if (!component && missing !== undefined && withoutNumber.includes(field.toLowerCase())) return missing
    return numberIn(field, name, 'CSV', line, component ? '' : remedyFor(field, name))
  }

  /** With semicolons, numbers may have decimal commas. */
  #withPoint(field: string, line: number): string {
    const comma = field.indexOf(',')
    const point = field.indexOf('.')
    if (comma < 0 && point < 0) return field
    const mark = comma >= 0 && (point < 0 || comma < point) ? ',' : '.'
    this.#decimal ??= mark
    if (this.#decimal !== mark)
      throw new FileFormatError(
        'CSV',
        `line ${line}`,
        `expected the decimal mark of the numbers before, "${this.#decimal}", got ${JSON.stringify(field.slice(0, 40))}`,
      )
    return mark === ',' ? `${field.slice(0, comma)}.${field.slice(comma + 1)}` : field
  }

  points(): CsvPoints<string> {
    const open = this.#fields?.openSince
    if (open !== undefined) throw new FileFormatError('CSV', `line ${open}`, 'expected the closing quote of a field')
    if (!this.#columns)
      throw new FileFormatError('CSV', 'line 1', 'expected names, such as x,y,z,mass, got an empty file')
    const columns = this.#columns.filter((column) => column !== undefined)
    const valuesOf = (name: string) => (columns.find((column) => column.name === name)?.values ?? []) as number[]
    const dimension = columns.some(({ name }) => name === 'z') ? 3 : 2
    const woven = (axes: readonly string[]) => {
      const parts = axes.slice(0, dimension).map(valuesOf)
      const vector = new Float64Array(dimension * (parts[0]?.length ?? 0))
      for (const [axis, values] of parts.entries())
        for (let n = 0; n < values.length; n++) vector[n * dimension + axis] = values[n] as number
      return vector
    }
    const points: Record<string, unknown> = {}
    for (const { name, component, text, values } of columns)
      if (!component) defineOwn(points, name, text ? values : new Float64Array(values as number[]))
    points.position = woven(vectors.position)
    if (columns.some(({ name }) => name === 'vx')) points.velocity = woven(vectors.velocity)
    points.dimension = dimension
    return points as unknown as CsvPoints<string>
  }
}

/** Advice for a field that is not a number. */
function remedyFor(field: string, name: string): string {
  if (withoutNumber.includes(field.toLowerCase())) return '; give "missing", the number for such fields'
  return Number.isNaN(parsedNumber(field)) || /^[+-]?\d{16,}$/.test(field)
    ? `; to read the column as text, give text: [${JSON.stringify(name)}]`
    : ''
}
