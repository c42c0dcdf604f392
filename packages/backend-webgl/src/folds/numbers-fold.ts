/**
 * The fold of every reduction whose state is a few numbers, as GLSL: core says how a term and another state change them.
 *
 * Where rounding adds up, each row of sources has a state that later joins that of the rows before.
 *
 * @module
 */
import type { NumbersFold, StateChange } from '@manybody/core/backend'
import { type Expr, evaluator } from '@manybody/core/expression'
import { lines } from '../glsl/code-text.ts'
import { largest, standsForInfinity } from '../glsl/infinity.ts'
import { lane } from '../glsl/layout.ts'
import { glslOf, literal, typeOf } from '../glsl/operators.ts'
import { nanOf } from '../quirks/nan-exponential.ts'
import type { Fold, TermTexts } from './fold.ts'

export function numbersFoldOf(fold: NumbersFold, { terms: [term] }: TermTexts): Fold {
  const { state, add, join, results, fromResults, keepsNaN: inRows } = fold
  const names = state.map(({ name }) => name)
  const first = state.map(({ empty }) => finite(empty))
  const declared = (prefix: string, value: (n: number) => string) =>
    lines(names.map((name, n) => `float ${prefix}${name} = ${value(n)};`))
  const startOf = (n: number) => numberText(first[n] as number)
  const earlier = (n: number) => `before(${n >> 2}).${lane(n)}`
  const rowName = (name: string) => (inRows && names.includes(name) ? `row_${name}` : name)
  const joinRow = changeText(fold, join, (name) => name, `other_${names.at(-1)}`)
  const resultNames = results.map(({ name }) => name)
  const toState = fromResults.map((e) => evaluator(e, resultNames))
  return {
    components: names.length,
    start: declared('', (n) => `user_resume == 1 ? ${earlier(n)} : ${startOf(n)}`),
    openRow: inRows ? declared('row_', startOf) : '',
    add: lines([`float term = ${term};`, changeText(fold, add, rowName, 'term')]),
    closeRow: inRows ? lines([declared('other_', (n) => `row_${names[n]}`), joinRow]) : '',
    state: names,
    before: (t, c, initial) => {
      const values = results.map(({ name, empty }) => initial?.[name]?.[t] ?? empty)
      const isEmpty = results.every(({ empty }, n) => values[n] === empty)
      return isEmpty ? (first[c] as number) : finite(toState[c]?.(Float64Array.from(values)) as number)
    },
    results: (read) => {
      const columns = names.map((_, n) => read(n, 1))
      const isFirst = Array.from(columns[0] ?? [], (_, t) =>
        state.every(({ empty }, n) => alike(columns[n]?.[t] as number, empty)),
      )
      const column = ({ empty, value }: (typeof results)[number]) => {
        const resultOf = evaluator(value, names)
        const at = (t: number) => resultOf(Float64Array.from(columns, (numbers) => numbers[t] as number))
        return Float32Array.from(isFirst, (is, t) => (is ? empty : at(t)))
      }
      return Object.fromEntries(results.map((result) => [result.name, column(result)]))
    },
    resident: Object.fromEntries(results.flatMap(({ name, value, empty }) => placeIn(names, name, value, empty))),
  }
}

/** Where the state holds a result unchanged, if it does. */
function placeIn(
  state: readonly string[],
  name: string,
  value: Expr,
  empty: number,
): [string, [number, number, boolean]][] {
  const at = value.kind === 'symbol' ? state.indexOf(value.name) : -1
  return at < 0 ? [] : [[name, [at, 1, !Number.isFinite(empty)]]]
}

/** Changes the state, whose variables are named by `nameOf`. If NaN counts, one in `source` stays in the last number. */
function changeText(
  { state, keepsNaN }: NumbersFold,
  { lets, next }: StateChange,
  nameOf: (name: string) => string,
  source: string,
): string {
  const kept = (name: string, n: number) => (keepsNaN && n === state.length - 1 ? nanOf(source, name) : name)
  return lines([
    ...lets.map(({ name, expr }) => `${typeOf(expr)} ${name} = ${glslOf(expr, nameOf)};`),
    ...state.map(({ name }, n) => `float next_${name} = ${glslOf(next[n] as Expr, nameOf)};`),
    ...state.map(({ name }, n) => `${nameOf(name)} = ${kept(`next_${name}`, n)};`),
  ])
}

/** The largest number stands for infinity in a shader. */
function finite(value: number): number {
  return Math.abs(value) === Number.POSITIVE_INFINITY ? Math.sign(value) * Number(largest) : value
}

/** Whether a number of a shader is that of the state before the first term. */
function alike(value: number, empty: number): boolean {
  return Math.abs(empty) === Number.POSITIVE_INFINITY
    ? standsForInfinity(value) && Math.sign(value) === Math.sign(empty)
    : value === empty
}

function numberText(value: number): string {
  const size = Math.abs(value) === Number(largest) ? largest : literal(Math.abs(value))
  return value < 0 ? `-${size}` : size
}
