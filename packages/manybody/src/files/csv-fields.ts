/**
 * Splits the lines of a CSV file into fields. It knows quotes as in RFC 4180, and the separators that programs write in place of commas.
 *
 * @module
 */
import { FileFormatError } from './file-format-error.ts'
import { wordsOf } from './numbers.ts'

/** A blank stands for any number of blanks and tabs. */
export type Separator = ',' | ';' | '\t' | ' '

/** The separator in a line of names: the most frequent mark outside quotes, or blanks if there is none. */
export function separatorOf(names: string): Separator {
  const bare = names.replace(/"[^"]*"?/g, 'name').trim()
  const [most] = ([',', ';', '\t'] as const)
    .map((separator) => ({ separator, times: bare.split(separator).length - 1 }))
    .sort((a, b) => b.times - a.times)
  if (most && most.times > 0) return most.separator
  return /\s/.test(bare) ? ' ' : ','
}

/** The longest field in quotes, in characters. */
const longestField = 2 ** 24

export class FieldReader {
  readonly #separator: Separator
  /** The fields of a record that has not ended: a field in quotes may continue in the next line. */
  #fields: string[] = []
  #open: string[] | undefined
  #length = 0
  /** The first line of that field. */
  #line = 0

  constructor(separator: Separator) {
    this.#separator = separator
  }

  /** The first line of a field in quotes that has not ended. */
  get openSince(): number | undefined {
    return this.#open && this.#line
  }

  /** The fields of a record, without surrounding blanks and quotes; undefined if the record continues in the next line. */
  take(text: string, line: number): readonly string[] | undefined {
    if (!this.#open && !text.includes('"')) return this.#split(text)
    const source = this.#separator === ' ' && !this.#open ? text.trim() : text
    for (let at = 0; at <= source.length; ) {
      at = this.#open ? this.#quoted(source, at, line) : this.#field(source, at, line)
      if (this.#open) return undefined
    }
    const fields = this.#fields
    this.#fields = []
    return fields
  }

  #split(text: string): readonly string[] {
    if (this.#separator === ' ') return wordsOf(text)
    const fields = text.split(this.#separator)
    for (let n = 0; n < fields.length; n++) {
      const field = fields[n] ?? ''
      if (field.charCodeAt(0) <= 32 || field.charCodeAt(field.length - 1) <= 32) fields[n] = field.trim()
    }
    return fields
  }

  /** Reads a field, and returns the place behind its separator. */
  #field(text: string, at: number, line: number): number {
    const begin = this.#skipped(text, at)
    if (text[begin] === '"') {
      this.#open = []
      ;[this.#length, this.#line] = [0, line]
      return this.#quoted(text, begin + 1, line)
    }
    const end = this.#endOf(text, begin)
    this.#fields.push(text.slice(begin, end).trim())
    return this.#behind(text, end)
  }

  /** Continues within quotes. Two quotes stand for one. */
  #quoted(text: string, from: number, line: number): number {
    const open = this.#open ?? []
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at)
      const part = text.slice(at, quote < 0 ? text.length : quote)
      if (part !== '') open.push(part)
      this.#length += part.length + 1
      if (this.#length > longestField)
        throw this.#fault(this.#line, `expected a field of at most ${longestField} characters, got a longer one`)
      if (quote < 0) {
        open.push('\n')
        return text.length + 1
      }
      if (text[quote + 1] !== '"') {
        this.#fields.push(open.join(''))
        this.#open = undefined
        const end = this.#endOf(text, quote + 1)
        const stray = text.slice(quote + 1, end).trim()
        if (stray !== '')
          throw this.#fault(
            line,
            `expected a separator behind a field in quotes, got ${JSON.stringify(stray.slice(0, 40))}`,
          )
        return this.#behind(text, end)
      }
      open.push('"')
      at = quote + 2
    }
  }

  /** The place of the next separator, or the end. */
  #endOf(text: string, at: number): number {
    if (this.#separator !== ' ') {
      const end = text.indexOf(this.#separator, at)
      return end < 0 ? text.length : end
    }
    let end = at
    while (end < text.length && !isBlank(text, end)) end++
    return end
  }

  #behind(text: string, end: number): number {
    if (this.#separator !== ' ') return end + 1
    const next = this.#skipped(text, end)
    return next === text.length ? next + 1 : next
  }

  #skipped(text: string, at: number): number {
    let begin = at
    const other = this.#separator === '\t' ? '\t' : undefined
    while (begin < text.length && isBlank(text, begin) && text[begin] !== other) begin++
    return begin
  }

  #fault(line: number, reason: string): FileFormatError {
    return new FileFormatError('CSV', `line ${line}`, reason)
  }
}

const isBlank = (text: string, at: number) => text[at] === ' ' || text[at] === '\t'
