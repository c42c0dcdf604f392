/**
 * Splits expression text into tokens that remember their positions. It knows characters, not grammar.
 *
 * @module
 */
import { ExpressionError } from '../../ground/errors.ts'

export interface Token {
  readonly kind: 'number' | 'name' | 'operator' | 'end'
  readonly text: string
  /** Position of the first character in the source text. */
  readonly offset: number
}

const pattern =
  /(?<space>\s+)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<operator><=|>=|==|!=|&&|\|\||[-+*/^(),;=<>![\]])/y

/** Limits the depth of trees, so that no engine's stack overflows while visiting one. */
const mostTokens = 2048

/** Spellings of other languages, and ours. */
const foreign: readonly (readonly [text: string, remedy: string])[] = [
  ['**', 'write a^n'],
  ['?', 'write select(condition, a, b)'],
  ['.', 'write sqrt(x), not Math.sqrt(x)'],
]

export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (pattern.lastIndex < text.length) {
    const offset = pattern.lastIndex
    const groups = text.startsWith('**', offset) ? undefined : pattern.exec(text)?.groups
    if (!groups) throw new ExpressionError(unexpected(text, offset), text, offset)
    if (tokens.length === mostTokens)
      throw new ExpressionError(`expected at most ${mostTokens} numbers, names and signs`, text, offset)
    for (const kind of ['number', 'name', 'operator'] as const) {
      const found = groups[kind]
      if (found !== undefined) tokens.push({ kind, text: found, offset })
    }
  }
  tokens.push({ kind: 'end', text: 'end of text', offset: text.length })
  return tokens
}

function unexpected(text: string, offset: number): string {
  const [found, remedy] = foreign.find(([other]) => text.startsWith(other, offset)) ?? []
  const character = JSON.stringify(found ?? String.fromCodePoint(text.codePointAt(offset) ?? 0))
  return `unexpected ${character}${remedy ? `: ${remedy}` : ''}`
}
