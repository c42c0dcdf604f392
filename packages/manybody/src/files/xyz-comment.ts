/**
 * The comment line of an extended XYZ file: `key=value` pairs. `Properties` names the columns of the points; `Lattice` and `pbc` describe
 * the box. A comment without `Properties` and `Lattice` is any text.
 *
 * @source G. Csányi, J. R. Kermode and others, the specification of extended XYZ: https://github.com/libAtoms/extxyz
 * @module
 */
import { parsedNumber, textOf } from './numbers.ts'
import type { ColumnSpec } from './xyz-columns.ts'

export interface Extension {
  readonly properties?: readonly ColumnSpec[] | undefined
  /** The edge vectors of the box, one after the other, `[3, 3]`. */
  readonly lattice?: Float64Array | undefined
  readonly pbc?: readonly [boolean, boolean, boolean] | undefined
  /** The comment proper, if there is a key `comment`. */
  readonly comment?: string | undefined
  /** The keys that have one number as value. */
  readonly numbers: readonly (readonly [key: string, value: number])[]
}

/** The keys with a meaning of their own, in small letters: programs do not agree on capitals. */
const ownKeys: readonly string[] = ['properties', 'lattice', 'pbc', 'comment']

/** Whether a key belongs to the format, not to the user. */
export const isKnownKey = (key: string): boolean => ownKeys.includes(key.toLowerCase())

/** The most columns, and the most keys. A file with more is not a file of points, and reading each name takes longer than a number. */
const most = 4096

const widest = 2 ** 24

/** Parses a comment; undefined if it is free text. @throws Error that names the malformed part */
export function extensionOf(line: string): Extension | undefined {
  // In small letters, a lattice alone may be part of free text, such as `lattice=fcc`.
  if (!/(?:^|\s)"?(?:[Pp]roperties|PROPERTIES|Lattice)"?\s*=/.test(line)) return undefined
  const known: Record<string, string> = {}
  const numbers: [string, number][] = []
  for (const [key, text] of pairsOf(line)) {
    if (isKnownKey(key)) {
      known[key.toLowerCase()] ??= text
      continue
    }
    const value = parsedNumber(text)
    if (!Number.isNaN(value)) numbers.push([key, value])
  }
  const { properties, lattice, pbc, comment } = known
  if (properties === undefined && lattice === undefined) return undefined
  return {
    properties: properties === undefined ? undefined : propertiesOf(properties),
    lattice: lattice === undefined ? undefined : latticeOf(lattice),
    pbc: pbc === undefined ? undefined : pbcOf(pbc),
    comment,
    numbers,
  }
}

const blanks = /\s*/y
const equals = /\s*=\s*/y
const bareKey = /[^\s=]+/y
const bareValue = /\S+/y

/** The index behind a match that begins at `at`, or -1. */
function behind(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(line) ? pattern.lastIndex : -1
}

/** The values by key, without quotes. A key without a value is true. */
function pairsOf(line: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (let at = behind(blanks, line, 0); at < line.length; at = behind(blanks, line, at)) {
    const key = line[at] === '"' ? quotedAt(line, at) : bareAt(bareKey, line, at)
    if (!key) throw new Error(`the comment expected a key, got ${JSON.stringify(line.slice(at, at + 20))}`)
    const begin = behind(equals, line, key.end)
    const value = begin < 0 ? { text: 'T', end: key.end } : valueAt(line, begin)
    if (!value) throw new Error(`the comment expected a value of ${JSON.stringify(key.text.slice(0, 40))}, got nothing`)
    pairs.set(key.text, value.text)
    if (pairs.size > most) throw new Error(`the comment expected at most ${most} keys, got more`)
    at = value.end
  }
  return pairs
}

interface Word {
  readonly text: string
  readonly end: number
}

/** A value in quotes, in brackets, or up to the next blank. */
function valueAt(line: string, at: number): Word | undefined {
  const first = line[at]
  if (first === '"') return quotedAt(line, at)
  if (first === '{' || first === '[') return bracketsAt(line, at, first)
  return bareAt(bareValue, line, at)
}

function bareAt(pattern: RegExp, line: string, at: number): Word | undefined {
  const end = behind(pattern, line, at)
  return end < 0 ? undefined : { text: line.slice(at, end), end }
}

/** Within quotes, a backslash escapes a quote, a backslash, and the `n` of a line feed. */
function quotedAt(line: string, at: number): Word {
  const meanings: Readonly<Record<string, string>> = { n: '\n', r: '\r' }
  let text = ''
  for (let begin = at + 1, n = begin; n < line.length; n++) {
    const letter = line[n]
    if (letter === '"') return { text: text + line.slice(begin, n), end: n + 1 }
    if (letter !== '\\') continue
    const escaped = line[n + 1] ?? ''
    text += line.slice(begin, n) + (meanings[escaped] ?? escaped)
    n++
    begin = n + 1
  }
  throw new Error(`the comment expected a closing quote, got ${JSON.stringify(line.slice(at, at + 20))}`)
}

/** The text between the outermost brackets: `{1 2 3}`, `[1, 2, 3]` or `[[1, 2], [3, 4]]`. */
function bracketsAt(line: string, at: number, opening: '{' | '['): Word {
  const marks = opening === '{' ? /[{}]/g : /[[\]]/g
  marks.lastIndex = at
  let depth = 0
  for (let mark = marks.exec(line); mark; mark = marks.exec(line)) {
    depth += mark[0] === opening ? 1 : -1
    if (depth === 0) return { text: line.slice(at + 1, mark.index), end: mark.index + 1 }
  }
  throw new Error(`the comment expected a closing bracket, got ${JSON.stringify(line.slice(at, at + 20))}`)
}

/** The items of an array in either style. */
const itemsOf = (value: string) => value.split(/[\s,[\]]+/).filter((item) => item !== '')

function propertiesOf(value: string): readonly ColumnSpec[] {
  const words = value.split(':', 3 * most + 1)
  if (words.length > 3 * most) throw new Error(`"Properties" expected at most ${most} columns, got more`)
  const columns = new Map<string, ColumnSpec>()
  for (let n = 0; n < words.length; n += 3) {
    const [name = '', type = '', digits = ''] = [words[n], words[n + 1], words[n + 2]]
    const width = Number(digits)
    if (name === '' || !isType(type) || !(width >= 1 && width <= widest && Number.isInteger(width))) {
      const got = JSON.stringify(
        words
          .slice(n, n + 3)
          .join(':')
          .slice(0, 60),
      )
      throw new Error(`"Properties" expected names with a type (S, I, R or L) and a width, such as pos:R:3, got ${got}`)
    }
    if (columns.has(name)) throw new Error(`"Properties" has ${JSON.stringify(name.slice(0, 40))} twice`)
    columns.set(name, { name, type, width })
  }
  return [...columns.values()]
}

const isType = (type: string): type is ColumnSpec['type'] => ['S', 'I', 'R', 'L'].includes(type)

function latticeOf(value: string): Float64Array {
  const numbers = new Float64Array(itemsOf(value).map(parsedNumber))
  if (![3, 9].includes(numbers.length) || numbers.includes(Number.NaN))
    throw new Error(`"Lattice" expected 9 numbers, the edges of the box, got ${JSON.stringify(value.slice(0, 60))}`)
  const [a = 0, b = 0, c = 0] = numbers
  return numbers.length === 9 ? numbers : Float64Array.of(a, 0, 0, 0, b, 0, 0, 0, c)
}

function pbcOf(value: string): readonly [boolean, boolean, boolean] {
  const [x, y, z, ...others] = itemsOf(value).map(truthOf)
  if (x === undefined || y === undefined || z === undefined || others.length > 0)
    throw new Error(`"pbc" expected three of T and F, got ${JSON.stringify(value.slice(0, 60))}`)
  return [x, y, z]
}

/** A truth value. Some programs write 0 and 1. */
export function truthOf(text: string): boolean | undefined {
  if (/^(?:T|[tT]rue|TRUE|1)$/.test(text)) return true
  return /^(?:F|[fF]alse|FALSE|0)$/.test(text) ? false : undefined
}

/** Writes the comment line for these properties. */
export function commentLine({ properties = [], lattice, pbc, comment = '', numbers }: Extension): string {
  const pairs: readonly (readonly [string, string])[] = [
    ...(lattice ? [['Lattice', quoted(Array.from(lattice, textOf).join(' '))] as const] : []),
    ['Properties', quoted(properties.map(({ name, type, width }) => `${name}:${type}:${width}`).join(':'))],
    ...(pbc ? [['pbc', quoted(pbc.map((truth) => (truth ? 'T' : 'F')).join(' '))] as const] : []),
    ...numbers.map(([key, value]) => [/^[A-Za-z]\w*$/.test(key) ? key : quoted(key), textOf(value)] as const),
    ['comment', quoted(comment)],
  ]
  return pairs.map(([key, value]) => `${key}=${value}`).join(' ')
}

function quoted(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' }
  return `"${text.replace(/["\\\n\r]/g, (letter) => escapes[letter] ?? `\\${letter}`)}"`
}
