/**
 * Reads tables of pair potentials as LAMMPS does for `pair_style table`: sections of a keyword, a line of parameters, and lines of
 * index, distance, energy and force. The energies are what `functions` of a law take; forces are their derivatives.
 *
 * @source LAMMPS documentation, pair_style table
 * @module
 */
import { defineOwn } from './define-own.ts'
import { FileFormatError } from './file-format-error.ts'
import { numberIn, wordsOf } from './numbers.ts'
import { type FileSource, linesOf } from './source.ts'

/** Energies at equal steps between two distances, or at ascending distances. */
export type LammpsTable =
  | { readonly from: number; readonly to: number; readonly values: readonly number[] }
  | { readonly at: readonly number[]; readonly values: readonly number[] }

const format = 'LAMMPS table'

/** A section whose lines are still to come. */
interface Section {
  readonly name: string
  readonly line: number
  count?: number
  /** How distances are spaced; by default as the lines say. */
  spacing?: { readonly word: 'R' | 'RSQ'; readonly from: number; readonly to: number }
  readonly at: number[]
  readonly values: number[]
}

/**
 * The tables of a file by their keywords, for `functions: { u: tables.ARGON }` of a law. The words FPRIME, EWALD and PPPM have no
 * effect.
 *
 * @throws {@link FileFormatError} with the line
 */
export async function readLammpsTables(source: FileSource): Promise<Readonly<Record<string, LammpsTable>>> {
  const tables: Record<string, LammpsTable> = {}
  let section: Section | undefined
  let line = 0
  for await (const lines of linesOf(source, format))
    for (const whole of lines) {
      line++
      const text = whole.replace(/#.*/, '').trim()
      if (text === '') continue
      const words = wordsOf(text)
      if (!section) {
        if (Object.hasOwn(tables, words[0] as string))
          throw fault(line, `expected another keyword than ${words[0]}, which came before`)
        section = { name: words[0] as string, line, at: [], values: [] }
      } else if (section.count === undefined) takeParameters(section, words, line)
      else takeValues(section, words, line)
      if (section.values.length !== section.count) continue
      defineOwn(tables, section.name, tableOf(section))
      section = undefined
    }
  if (section)
    throw fault(
      line,
      `expected ${section.count ?? 'the'} lines of section ${section.name}, which begins at line ${section.line}, got ${section.values.length}`,
    )
  if (line === 0) throw fault(1, 'expected a section, got an empty file')
  return tables
}

const fault = (line: number, reason: string) => new FileFormatError(format, `line ${line}`, reason)

function takeParameters(section: Section, words: readonly string[], line: number): void {
  for (let n = 0; n < words.length; n++) {
    const word = words[n] as string
    const number = (name: string) => numberIn(words[++n], name, format, line)
    if (word === 'N') section.count = number('N')
    else if (word === 'R' || word === 'RSQ') {
      const [from, to] = [number(`${word} inner`), number(`${word} outer`)]
      if (!(from >= 0 && to > from))
        throw fault(line, `expected an outer distance above the inner one, got ${from} and ${to}`)
      section.spacing = { word, from, to }
    } else if (word === 'FPRIME') n += 2
    else if (word !== 'EWALD' && word !== 'PPPM')
      throw fault(line, `expected N, R, RSQ, FPRIME, EWALD or PPPM, got ${JSON.stringify(word.slice(0, 40))}`)
  }
  const { count } = section
  if (count === undefined || !Number.isInteger(count) || count < 2)
    throw fault(line, `expected N and a whole number of at least 2, got ${count ?? 'no N'}`)
}

function takeValues({ at, values }: Section, words: readonly string[], line: number): void {
  const index = numberIn(words[0], 'index', format, line)
  if (index !== values.length + 1) throw fault(line, `expected index ${values.length + 1}, got ${index}`)
  const distance = numberIn(words[1], 'distance', format, line)
  const before = at.at(-1)
  if (before !== undefined && !(distance > before))
    throw fault(line, `expected ascending distances, got ${distance} after ${before}`)
  at.push(distance)
  values.push(numberIn(words[2], 'energy', format, line))
}

/** LAMMPS takes the distances of R and RSQ from the parameters, not from the lines. */
function tableOf({ spacing, at, values }: Section): LammpsTable {
  if (!spacing) return { at, values }
  const { word, from, to } = spacing
  if (word === 'R') return { from, to, values }
  const last = values.length - 1
  return { at: values.map((_, n) => Math.sqrt(from * from + ((to * to - from * from) * n) / last)), values }
}
