/**
 * The text of a shader in a file. It is written as runs of lines, so a few numbers could stand for a text of any length.
 *
 * @module
 */
import type { CompiledWebGpu } from '../../designs/compiled.ts'

/** The most characters of a text. A law of 200 terms and 60 attributes has shaders of half a million. */
export const mostCharacters: number = 2 ** 24

/**
 * @param code the first line of each run, and its number of lines
 * @throws RangeError if there are no such lines, or if the text is too long
 */
export function filedText({ lines }: Pick<CompiledWebGpu, 'lines'>, code: readonly number[]): string {
  const text: string[] = []
  let characters = 0
  for (let n = 0; n < code.length; n += 2) {
    const [first, count] = [code[n], code[n + 1]]
    const end = Number(first) + Number(count)
    if (!(isWhole(first) && isWhole(count) && end <= lines.length))
      throw refused(`runs of lines among ${lines.length}, got ${count} from ${first} on`)
    for (let at = first; at < end; at++) {
      const line = lines[at] as string
      characters += line.length + 1
      if (!(characters <= mostCharacters)) throw refused(`shaders of at most ${mostCharacters} characters, got more`)
      text.push(line)
    }
  }
  return text.join('\n')
}

const isWhole = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) >= 0

const refused = (expected: string) => new RangeError(`"workload.compiled" expected ${expected}; compile the law again`)
