/**
 * Formulas as plain data, and their values in float64: a tape is a list of numbers, names and operations, and each operation takes values
 * of earlier steps. Compiled workloads bring tapes along, so their runs need no tree. `write-tape.ts` writes them.
 *
 * @module
 */
import { type ChoiceName, functions, type NumericName } from './functions/table.ts'

export type TapeOperation =
  | ('add' | 'subtract' | 'multiply' | 'divide' | 'negate' | 'sqrt' | 'power')
  | ChoiceName
  | NumericName

/** A number, the name of a given value, or an operation on the values of earlier steps. */
export type TapeStep = number | string | readonly [operation: TapeOperation, ...operands: readonly number[]]

export interface FormulaTape {
  readonly steps: readonly TapeStep[]
  /** The steps that give the values of the formulas. */
  readonly results: readonly number[]
}

/** A tape with a name for each result. */
export interface NamedTape extends FormulaTape {
  readonly names: readonly string[]
}

type Numbers = Readonly<Record<string, number>>

export interface Playing {
  /** The value of each name that is not given; without it, such a name is an error. */
  readonly others?: number
  /** Applied to the value of each step, for a narrower format. */
  readonly round?: (value: number) => number
}

/** The values of the formulas of a tape. Conditions are 1 or 0. */
export function play(
  { steps, results }: FormulaTape,
  given: Numbers,
  { others, round }: Playing = {},
): readonly number[] {
  const values: number[] = []
  for (const step of steps) {
    const value =
      typeof step === 'number' ? step : typeof step === 'string' ? valueFor(step, given, others) : operate(step, values)
    values.push(round ? round(value) : value)
  }
  return results.map((n) => values[n] as number)
}

/** The values of the formulas of a tape, by their names. */
export function playNamed(tape: NamedTape, given: Numbers): Record<string, number> {
  const values = play(tape, given)
  return Object.fromEntries(tape.names.map((name, n) => [name, values[n] as number]))
}

function valueFor(name: string, given: Numbers, others: number | undefined): number {
  const value = given[name] ?? others
  if (value === undefined)
    throw new Error(`expected a value for "${name}", got ${Object.keys(given).join(', ') || 'none'}`)
  return value
}

function operate([operation, a, b, c]: Exclude<TapeStep, number | string>, values: readonly number[]): number {
  const [x, y, z] = [values[a as number], values[b as number], values[c as number]] as [number, number, number]
  switch (operation) {
    case 'add':
      return x + y
    case 'subtract':
      return x - y
    case 'multiply':
      return x * y
    case 'divide':
      return x / y
    case 'negate':
      return -x
    case 'sqrt':
      return Math.sqrt(x)
    case 'power':
      return x ** y
    case 'select':
      return x ? y : z
    case 'less':
      return x < y ? 1 : 0
    case 'lessEqual':
      return x <= y ? 1 : 0
    case 'equal':
      return x === y ? 1 : 0
    case 'and':
      return x && y ? 1 : 0
    case 'or':
      return x || y ? 1 : 0
    case 'not':
      return x ? 0 : 1
    default:
      return functions[operation].value(x, y)
  }
}
