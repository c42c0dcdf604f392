/**
 * The words of a kernel's text, with their places. A hole of the template is one word.
 *
 * @module
 */

export interface Word {
  readonly kind: 'name' | 'number' | 'sign' | 'hole' | 'end'
  /** The characters; of a hole, its number. */
  readonly text: string
  readonly line: number
  readonly column: number
}

const pattern =
  /\s+|\/\/[^\n]*|(?<name>[A-Za-z_]\w*)|(?<number>0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<sign>->|\.\.|<<=|>>=|<<|>>|&&|\|\||[-+*/%<>=!&|^]=|[-+*/%<>=!&|^~?()[\]{},:.])/y

/** @param parts the text before, between and behind the holes */
function wordsOf(parts: readonly string[]): readonly Word[] {
  const words: Word[] = []
  let [line, column] = [1, 1]
  for (const [hole, part] of parts.entries()) {
    for (let at = 0; at < part.length; at = pattern.lastIndex) {
      pattern.lastIndex = at
      const match = pattern.exec(part)
      if (!match) throw errorAt({ line, column }, `expected a name, a number or a sign, got "${part[at]}"`)
      const { name, number, sign } = match.groups ?? {}
      const kind = name ? 'name' : number ? 'number' : 'sign'
      const text = name ?? number ?? sign
      if (text) words.push({ kind, text, line, column })
      const lines = match[0].split('\n')
      column = lines.length > 1 ? 1 + (lines.at(-1) as string).length : column + match[0].length
      line += lines.length - 1
    }
    if (hole < parts.length - 1) words.push({ kind: 'hole', text: String(hole), line, column })
  }
  words.push({ kind: 'end', text: 'the end', line, column })
  return words
}

/** An error about a place of a text. */
export function errorAt({ line, column }: Pick<Word, 'line' | 'column'>, message: string): SyntaxError {
  return new SyntaxError(`kernel, line ${line}, column ${column}: ${message}`)
}

/** Reads words from first to last. */
export class Reader {
  readonly #words: readonly Word[]
  #place = 0

  constructor(parts: readonly string[]) {
    this.#words = wordsOf(parts)
  }

  /** The next word, or one behind it. */
  peek(ahead = 0): Word {
    return (this.#words[this.#place + ahead] ?? this.#words.at(-1)) as Word
  }

  next(): Word {
    const word = this.peek()
    this.#place++
    return word
  }

  /** Whether the next word is this word or sign. */
  sees(text: string, ahead = 0): boolean {
    const word = this.peek(ahead)
    return word.text === text && (word.kind === 'name' || word.kind === 'sign')
  }

  accept(text: string): boolean {
    const found = this.sees(text)
    if (found) this.#place++
    return found
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.error(`"${text}"`)
  }

  name(): string {
    if (this.peek().kind !== 'name') throw this.error('a name')
    return this.next().text
  }

  /** Reads a list with commas up to the closing sign. */
  list(close: string, item: () => void): void {
    while (!this.accept(close)) {
      item()
      if (!this.sees(close)) this.expect(',')
    }
  }

  /** An error about the next word. */
  error(expected: string): SyntaxError {
    const { kind, text } = this.peek()
    const got = kind === 'hole' ? 'a hole' : kind === 'end' ? text : `"${text}"`
    return errorAt(this.peek(), `expected ${expected}, got ${got}`)
  }
}
