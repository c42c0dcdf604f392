/**
 * A place among the tokens of a text. It tells which token comes next and what was expected instead, and knows no grammar.
 *
 * @module
 */
import { describe } from '../../ground/checks.ts'
import { ExpressionError } from '../../ground/errors.ts'
import { type Token, tokenize } from './tokens.ts'

export class TokenReader {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The index of the next token. */
  next = 0

  /** @throws {@link ExpressionError} for a character that no token begins with */
  constructor(text: string) {
    this.text = text
    this.tokens = tokenize(text)
  }

  peek(): Token {
    return this.tokens[this.next] as Token
  }

  /** Passes an operator if it is next. */
  accept(text: string): boolean {
    const token = this.peek()
    if (token.kind !== 'operator' || token.text !== text) return false
    this.next++
    return true
  }

  expect(text: string, expected: string = `"${text}"`): void {
    if (!this.accept(text)) this.fail(expected, this.peek())
  }

  expectEndOfStatement(): void {
    const token = this.peek()
    if (token.kind !== 'end' && token.text !== ';') this.fail('an operator, ";" or the end', token)
  }

  fail(expected: string, at: Token, found: string = at.kind === 'end' ? at.text : describe(at.text)): never {
    return this.refuse(`expected ${expected}, got ${found}`, at, [expected])
  }

  /** @param known the names or signs that could stand there */
  refuse(message: string, at: Token | undefined, known?: readonly string[]): never {
    throw new ExpressionError(message, this.text, at?.offset ?? 0, known)
  }
}
