/**
 * Numbers in text files. `numberIn` reads everything that `textOf` writes as the same float64. Neither accepts NaN or infinity. No run
 * takes them, so readers and writers report where they stand.
 *
 * @module
 */
import { described, unexpected } from './checks.ts'
import { FileFormatError } from './file-format-error.ts'

/** Fortran writes `1.5D-3`. */
const fortran = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[dD][+-]?\d+$/
const whole = /^[+-]?\d+$/

/** A finite number, or NaN for any other text. Unlike `Number`, it takes no hexadecimal digits and no empty text. */
export function parsedNumber(text: string): number {
  const first = text.charCodeAt(0)
  const second = text.charCodeAt(1)
  // `Number` takes 0x10, 0b10 and 0o10 as well.
  const based = first === 48 && second > 57 && second !== 69 && second !== 101
  const value = based ? Number.NaN : Number(text)
  // `Number` turns blanks into 0.
  if (value === 0 && text.trim() === '') return Number.NaN
  if (Number.isFinite(value)) return value
  return fortran.test(text) ? parsedNumber(text.replace(/[dD]/, 'e')) : Number.NaN
}

/**
 * A number of a file.
 *
 * @param text without blanks around it
 * @param remedy advice for the reader of the message
 * @throws {@link FileFormatError}
 */
export function numberIn(text: string | undefined, name: string, format: string, line: number, remedy = ''): number {
  const value = text === undefined ? Number.NaN : parsedNumber(text)
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value
  const fault = (expected: string) => {
    const got = text === undefined ? 'nothing' : JSON.stringify(text.slice(0, 40))
    return new FileFormatError(format, `line ${line}`, `"${name}" expected ${expected}, got ${got}${remedy}`)
  }
  if (!Number.isFinite(value)) throw fault('a number')
  // An identifier of 19 digits would be rounded to another one.
  if (text !== undefined && whole.test(text) && BigInt(text) !== BigInt(value))
    throw fault('a number that float64 holds exactly')
  return value
}

/** The words of a line. Most lines have one blank between words, and these are split faster. */
export function wordsOf(line: string): readonly string[] {
  const words = line.split(' ')
  return words.includes('') || line.includes('\t') ? line.trim().split(/\s+/) : words
}

/** The shortest text that is read as the same number. */
export function textOf(value: number): string {
  if (Object.is(value, -0)) return '-0'
  // The digits of a whole number count as exact, but the digits of a large number are rounded.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value)
}

/** @throws TypeError, RangeError unless all elements are finite numbers */
export function requireFinite(numbers: ArrayLike<unknown>, name: string): void {
  for (let n = 0; n < numbers.length; n++) {
    const value = numbers[n]
    if (typeof value !== 'number') throw new TypeError(`"${name}" expected numbers, got ${typeof value} at index ${n}`)
    if (!Number.isFinite(value)) throw new RangeError(`"${name}" expected finite numbers, got ${value} at index ${n}`)
  }
}

/** The number of points of an interleaved array. @throws TypeError, RangeError for another length */
export function countOf(position: ArrayLike<number>, dimension: number): number {
  if (typeof position?.length !== 'number') throw unexpected('position', 'an array', position)
  if (dimension !== 2 && dimension !== 3)
    throw new RangeError(`"dimension" expected 2 or 3, as files hold no points on a line, got ${described(dimension)}`)
  const count = position.length / dimension
  if (Number.isInteger(count)) return count
  const hint = dimension === 3 && position.length % 2 === 0 ? '; for points in 2-D give dimension: 2' : ''
  const words = dimension === 3 ? 'three' : 'two'
  throw new RangeError(`"position" expected ${words} numbers per point, got ${position.length} numbers${hint}`)
}
