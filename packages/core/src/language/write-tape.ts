/**
 * Writes formulas on a tape (`tape.ts`). Equal steps are there once. Powers become products and roots, as in `evaluate.ts`.
 *
 * @module
 */
import { type FunctionName, functionNames } from './functions/table.ts'
import type { Expr } from './nodes.ts'
import { partsOf } from './parts.ts'
import { type Language, render } from './render.ts'
import type { Binding } from './schedule.ts'
import type { FormulaTape, NamedTape, TapeStep } from './tape.ts'

/** The tape of some formulas. */
export function tapeOf(formulas: readonly Expr[]): FormulaTape {
  const writer = new TapeWriter()
  const results = formulas.map((e) => writer.write(e))
  return { steps: writer.steps, results }
}

/** The tape of formulas with names. A formula may read those before it by their names. */
export function namedTape(bindings: readonly Binding[]): NamedTape {
  const writer = new TapeWriter()
  const results = bindings.map(({ name, expr }) => writer.define(name, expr))
  return { names: bindings.map(({ name }) => name), steps: writer.steps, results }
}

class TapeWriter {
  readonly steps: TapeStep[] = []
  /** Where each step is, by its text. */
  readonly #places = new Map<string, number>()
  /** Where the value of each formula with a name is. */
  readonly #defined = new Map<string, number>()
  readonly #language: Language<number> = {
    constant: (value) => this.#step(value),
    symbol: (name) => this.#defined.get(name) ?? this.#step(name),
    add: (a, b) => this.#step(['add', a, b]),
    subtract: (a, b) => this.#step(['subtract', a, b]),
    multiply: (a, b) => this.#step(['multiply', a, b]),
    divide: (a, b) => this.#step(['divide', a, b]),
    negate: (a) => this.#step(['negate', a]),
    power: (base, exponent) => this.#power(base, exponent),
    call: Object.fromEntries(
      functionNames.map((name) => [name, (...operands: readonly number[]) => this.#step([name, ...operands])]),
    ) as Readonly<Record<FunctionName, (...operands: readonly number[]) => number>>,
  }

  define(name: string, formula: Expr): number {
    const place = this.write(formula)
    this.#defined.set(name, place)
    return place
  }

  write(formula: Expr): number {
    const { whole, definitions } = partsOf(formula)
    for (const { name, expr } of definitions) this.#defined.set(name, render(expr, this.#language))
    return render(whole, this.#language)
  }

  #power(base: number, exponent: number): number {
    const { multiply, divide, constant } = this.#language
    if (exponent < 0) return divide(constant(1), this.#power(base, -exponent))
    if (exponent === 0.5) return this.#step(['sqrt', base])
    if (exponent === 1.5) return multiply(base, this.#step(['sqrt', base]))
    if (exponent === 2) return multiply(base, base)
    if (exponent === 3) return multiply(multiply(base, base), base)
    return this.#step(['power', base, constant(exponent)])
  }

  #step(step: TapeStep): number {
    const text = JSON.stringify(step)
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.steps.length)
    return this.steps.push(step) - 1
  }
}
