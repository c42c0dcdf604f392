/**
 * Reads tables of embedded atoms as LAMMPS does for `pair_style eam/alloy` (setfl, several elements) and `pair_style eam` (funcfl, one
 * element): the energy of embedding an atom in a density, the density that an atom makes, and r times the energy of a pair.
 *
 * @source M. S. Daw, S. M. Foiles and M. I. Baskes, Mater. Sci. Rep. 9 (1993) 251; LAMMPS documentation, pair_style eam
 * @module
 */
import { FileFormatError } from './file-format-error.ts'
import { numberIn, parsedNumber, wordsOf } from './numbers.ts'
import { type FileSource, linesOf } from './source.ts'

/** Values at equal steps, as `functions` of laws take them. Distances beyond the last have its value; densities beyond it are errors. */
export interface EamCurve {
  readonly from: number
  readonly to: number
  readonly values: readonly number[]
  readonly outside: 'edge' | 'error'
}

export interface EamElement {
  /** The symbol, which funcfl files do not have. */
  readonly symbol: string
  readonly number: number
  /** @unit grams per mole in files for metal units */
  readonly mass: number
  /** @unit angstrom in files for metal units */
  readonly latticeConstant: number
  /** `fcc`, `bcc` and so on. */
  readonly lattice: string
}

/** The tables of a file. Kinds are numbers from 0, in the order of the elements. */
export interface EamTables {
  readonly elements: readonly EamElement[]
  readonly cutoff: number
  /** The energy of an atom by the density at its place, for each element. */
  readonly embedding: readonly EamCurve[]
  /** The density that an atom makes by the distance, for each element. */
  readonly density: readonly EamCurve[]
  /** `r` times the energy of a pair by the distance, for each pair of elements: a law divides it by `r`. */
  readonly pair: readonly (readonly EamCurve[])[]
}

/**
 * The tables of a setfl file, which `pair_style eam/alloy` of LAMMPS reads. Files for `eam/fs` have other numbers and are refused. Text after
 * `#` is a comment, but for the first three lines, which may have any text.
 *
 * @throws {@link FileFormatError} with the line
 */
export async function readSetfl(source: FileSource): Promise<EamTables> {
  const file = new Words('setfl', await allLines(source, 'setfl'))
  for (let comment = 0; comment < 3; comment++) file.skipLine()
  const [count, ...symbols] = file.line('a number of elements and their symbols')
  if (Number(count) !== symbols.length || symbols.length === 0)
    throw file.fault(`expected a number of elements and as many symbols, got ${[count, ...symbols].join(' ')}`)
  const grid = gridOf(file)
  const [elements, embedding, density]: [EamElement[], EamCurve[], EamCurve[]] = [[], [], []]
  for (const [n, symbol] of symbols.entries()) {
    if (n > 0) requireNoDensity(file, symbol)
    elements.push(elementOf(file, symbol))
    embedding.push(grid.ofDensity(file.numbers(grid.densities, `the embedding energy of ${symbol}`)))
    density.push(grid.ofDistance(file.numbers(grid.distances, `the density of ${symbol}`)))
  }
  const pair: EamCurve[][] = symbols.map(() => [])
  for (const [row, symbol] of symbols.entries())
    for (const [column, other] of symbols.slice(0, row + 1).entries()) {
      const curve = grid.ofDistance(file.numbers(grid.distances, `the pair ${symbol}-${other}`))
      ;(pair[row] as EamCurve[])[column] = curve
      ;(pair[column] as EamCurve[])[row] = curve
    }
  file.requireEnd()
  return { elements, cutoff: grid.cutoff, embedding, density, pair }
}

/** Hartree times bohr, as LAMMPS has it: the product of two charges of a funcfl file becomes eV times angstrom. */
const chargeUnit = 27.2 * 0.529

/**
 * The tables of a funcfl file, which `pair_style eam` of LAMMPS reads. The effective charges of its pairs become `r` times an energy, in eV
 * and angstrom.
 *
 * @throws {@link FileFormatError} with the line
 */
export async function readFuncfl(source: FileSource): Promise<EamTables> {
  const file = new Words('funcfl', await allLines(source, 'funcfl'))
  file.skipLine()
  const element = elementOf(file, '')
  const grid = gridOf(file)
  const embedding = file.numbers(grid.densities, 'the embedding energy')
  const charge = file.numbers(grid.distances, 'the effective charge')
  const density = file.numbers(grid.distances, 'the density')
  file.requireEnd()
  return {
    elements: [element],
    cutoff: grid.cutoff,
    embedding: [grid.ofDensity(embedding)],
    density: [grid.ofDistance(density)],
    pair: [[grid.ofDistance(charge.map((z) => chargeUnit * z * z))]],
  }
}

async function allLines(source: FileSource, format: string): Promise<readonly string[]> {
  const all: string[] = []
  for await (const lines of linesOf(source, format)) all.push(...lines)
  return all
}

const head = 'atomic number, mass, lattice constant and lattice'

/** A file for eam/fs has a density for each pair of elements, so another one follows the first. @throws FileFormatError */
function requireNoDensity(file: Words, symbol: string): void {
  const words = file.ahead()
  const [number = '', , constant, lattice = ''] = words
  const isHead = constant !== undefined && Number.isInteger(parsedNumber(number)) && Number.isNaN(parsedNumber(lattice))
  if (words.length === 0 || isHead) return
  file.line(head)
  throw file.fault(
    `expected ${head} of ${symbol}, got ${words.slice(0, 4).join(' ')}; a file for eam/fs has several densities for each element, which are not read: give one for eam/alloy`,
  )
}

function elementOf(file: Words, symbol: string): EamElement {
  const [number, mass, constant, lattice = ''] = file.line(head)
  return {
    symbol,
    number: file.number(number, 'atomic number'),
    mass: file.number(mass, 'mass'),
    latticeConstant: file.number(constant, 'lattice constant'),
    lattice,
  }
}

/** The grids of densities and distances, which begin at 0. */
function gridOf(file: Words) {
  const [densities, densityStep, distances, distanceStep, cutoff] = file.line('Nrho, drho, Nr, dr and the cutoff')
  const count = (text: string | undefined, name: string) => {
    const found = file.number(text, name)
    if (Number.isInteger(found) && found >= 2) return found
    throw file.fault(`"${name}" expected a whole number of at least 2, got ${found}`)
  }
  const above0 = (text: string | undefined, name: string) => {
    const found = file.number(text, name)
    if (found > 0) return found
    throw file.fault(`"${name}" expected a number above 0, got ${found}`)
  }
  const [nrho, drho] = [count(densities, 'Nrho'), above0(densityStep, 'drho')]
  const [nr, dr] = [count(distances, 'Nr'), above0(distanceStep, 'dr')]
  const of =
    (last: number, outside: EamCurve['outside']) =>
    (values: readonly number[]): EamCurve => ({ from: 0, to: last, values, outside })
  return {
    ...{ densities: nrho, distances: nr, cutoff: above0(cutoff, 'cutoff') },
    ...{ ofDensity: of(drho * (nrho - 1), 'error'), ofDistance: of(dr * (nr - 1), 'edge') },
  }
}

/** The lines of a file, of which numbers may fill as many as they like. Lines without words are left out, but not at its head. */
class Words {
  #next = 0

  constructor(
    readonly format: string,
    readonly lines: readonly string[],
  ) {}

  fault(reason: string): FileFormatError {
    return new FileFormatError(this.format, `line ${Math.max(1, this.#next)}`, reason)
  }

  skipLine(): void {
    this.#next++
  }

  /** The words of the next line that has some, without going there; none at the end of the file. Text after # is a comment. */
  ahead(): readonly string[] {
    while (this.#next < this.lines.length) {
      const text = this.lines[this.#next]?.replace(/#.*/, '').trim()
      if (text) return wordsOf(text)
      this.#next++
    }
    return []
  }

  /** The words of the next line. @param expected names them in errors */
  line(expected: string): readonly string[] {
    const words = this.ahead()
    this.#next++
    if (words.length === 0) throw this.fault(`expected ${expected}, got the end of the file`)
    return words
  }

  number(text: string | undefined, name: string): number {
    return numberIn(text, name, this.format, this.#next)
  }

  /** Numbers on the next lines, up to the end of a line. @param name says in errors what they are of */
  numbers(count: number, name: string): readonly number[] {
    const found: number[] = []
    while (found.length < count) {
      const words = this.ahead()
      this.#next++
      if (words.length === 0)
        throw this.fault(`expected ${count} numbers of ${name}, got ${found.length} and the end of the file`)
      for (const word of words) found.push(this.number(word, name))
    }
    if (found.length > count)
      throw this.fault(`expected ${count} numbers of ${name}, got ${found.length} up to the end of the line`)
    return found
  }

  requireEnd(): void {
    if (this.ahead().length === 0) return
    this.#next++
    throw this.fault('expected the end of the file, got more text')
  }
}
