/**
 * The fold of every reduction that keeps a few numbers, as GLSL. The rule in core says how a term and another state change
 * them.
 *
 * Where rounding adds up, each row of sources has a state of its own, which then joins the state of earlier rows.
 *
 * @module
 */
import { type Expr, type NumbersFold, type StateChange, tapeOf } from '@manybody/core/expression'
import type { ResultPlace } from '../../design/design.ts'
import { asFinite, largest } from '../../design/infinity.ts'
import { lane } from '../../design/layout.ts'
import { nanOf } from '../../quirks/nan-exponential.ts'
import { lines } from '../glsl/code-text.ts'
import { glslOf, literal, typeOf } from '../glsl/operators.ts'
import type { Fold, TermTexts } from './fold.ts'

export function numbersFoldOf(fold: NumbersFold, { terms: [term] }: TermTexts): Fold {
  const { state, add, join, results, fromResults, keepsNaN: inRows } = fold
  const names = state.map(({ name }) => name)
  const first = state.map(({ empty }) => asFinite(empty))
  const declared = (prefix: string, value: (n: number) => string) =>
    lines(names.map((name, n) => `float ${prefix}${name} = ${value(n)};`))
  const startOf = (n: number) => numberText(first[n] as number)
  const earlier = (n: number) => `before(${n >> 2}).${lane(n)}`
  const rowName = (name: string) => (inRows && names.includes(name) ? `row_${name}` : name)
  const joinRow = changeText(fold, join, (name) => name, `other_${names.at(-1)}`)
  return {
    state: {
      kind: 'numbers',
      components: names.length,
      names,
      first,
      results: results.map(({ name, empty }) => ({ name, empty: asFinite(empty) })),
      values: tapeOf(results.map(({ value }) => value)),
      fromResults: tapeOf(fromResults),
    },
    start: declared('', (n) => `user_resume == 1 ? ${earlier(n)} : ${startOf(n)}`),
    openRow: inRows ? declared('row_', startOf) : '',
    add: lines([`float term = ${term};`, changeText(fold, add, rowName, 'term')]),
    closeRow: inRows ? lines([declared('other_', (n) => `row_${names[n]}`), joinRow]) : '',
    numbers: names,
    resident: Object.fromEntries(results.flatMap(({ name, value, empty }) => placeIn(names, name, value, empty))),
  }
}

/** Where the state holds a result unchanged, if it does. */
function placeIn(state: readonly string[], name: string, value: Expr, empty: number): [string, ResultPlace][] {
  const at = value.kind === 'symbol' ? state.indexOf(value.name) : -1
  return at < 0 ? [] : [[name, [at, 1, !Number.isFinite(empty)]]]
}

/** Changes the state. `nameOf` gives the names of its variables. If NaN counts, a NaN in `source` stays in the last number. */
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

function numberText(value: number): string {
  const size = Math.abs(value) === Number(largest) ? largest : literal(Math.abs(value))
  return value < 0 ? `-${size}` : size
}
