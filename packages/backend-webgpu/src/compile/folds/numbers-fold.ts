/**
 * The fold of every reduction that keeps a few numbers, as WGSL. The rule in core says how a term and another state change
 * them.
 *
 * @module
 */
import type { Expr, NumbersFold, StateChange } from '@manybody/core/expression'
import { arrayName } from '../../design/shader.ts'
import { nanOf } from '../../quirks/nan-exponential.ts'
import { literal, wgslText } from '../wgsl/operators.ts'
import { bits, type Fold, float, guarded, infinityBits, largest, minusInfinityBits, range } from './fold.ts'

export function numbersFoldOf({ state, add, join, results, fromResults, keepsNaN }: NumbersFold): Fold {
  const names = state.map(({ name }) => name)
  const places = results.map(({ name }) => arrayName(`result.${name}`))
  const textOf = (r: number, e: Expr) => wgslText(e, (name) => (names.includes(name) ? `${name}_${r}` : name))

  /** Changes the state by the values in `given`. If NaN counts, a NaN in `source` stays in the last number. */
  const change = (r: number, { lets, next }: StateChange, given: readonly string[], source: string): string => {
    const kept = (name: string, n: number) => (keepsNaN && n === names.length - 1 ? nanOf(source, name) : name)
    return [
      ...given,
      ...lets.map(({ name, expr }) => `let ${name} = ${textOf(r, expr)};`),
      ...next.map((e, n) => `let next_${names[n]} = ${textOf(r, e)};`),
      ...names.map((name, n) => `${name}_${r} = ${kept(`next_${name}`, n)};`),
    ].join(' ')
  }
  /** Adds another state, given as WGSL. */
  const joined = (r: number, other: readonly string[]) => {
    const given = names.map((name, n) => `let other_${name} = ${other[n]};`)
    return `{ ${change(r, join, given, `other_${names.at(-1)}`)} }`
  }
  const isFirst = (r: number) => state.map(({ name, empty }) => `${name}_${r} == ${numberText(empty)}`).join(' && ')

  return {
    // Results are written as bits: WGSL may assume that no float is infinite, but the results of empty folds may be.
    results: results.map(({ name }) => ({ name, type: 'u32', hostType: 'f32', width: 1 })),
    words: names.length,
    indexed: false,
    revisits: false,
    sums: () => [],
    declare: (r) => state.map(({ name, empty }) => `var ${name}_${r} = ${numberText(empty)};`).join(' '),
    // Only a minimum needs it.
    farthest: (r) => `${names[0]}_${r}`,
    pair: (r, { terms, keep }) => guarded(keep, change(r, add, [`let term = ${terms[0]};`], 'term')),
    save: (r, write) => names.map((name, n) => write(`${n}u`, bits(`${name}_${r}`))).join('\n'),
    merge: (r, read) =>
      joined(
        r,
        range(names.length).map((n) => float(read(`${n}u`))),
      ),
    resume: (r, at) => {
      const counted = results.map(({ empty }, n) => `${places[n]}[${at}] != ${bitsOf(empty)}`).join(' || ')
      const earlier = (name: string) => float(`${places[results.findIndex((one) => one.name === name)]}[${at}]`)
      return `if (${counted}) ${joined(
        r,
        fromResults.map((e) => wgslText(e, earlier)),
      )}`
    },
    finish: (r, at) => {
      const value = (e: Expr, empty: number) => `select(${bits(textOf(r, e))}, ${bitsOf(empty)}, ${isFirst(r)})`
      return results.map(({ empty, value: e }, n) => `${places[n]}[${at}] = ${value(e, empty)};`).join('\n')
    },
  }
}

/** A number of the state. The largest float stands for infinity. */
function numberText(value: number): string {
  const size = Math.abs(value) === Number.POSITIVE_INFINITY ? largest : literal(Math.abs(value))
  return value < 0 ? `-${size}` : size
}

/** The bits of a result. */
function bitsOf(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return infinityBits
  return value === Number.NEGATIVE_INFINITY ? minusInfinityBits : bits(numberText(value))
}
