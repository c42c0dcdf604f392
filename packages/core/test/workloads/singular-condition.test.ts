// The condition that the term of coincident points is not finite, compared with the term itself in float64.

import { describe, expect, it, test } from 'vitest'
import { ExpressionError } from '../../src/ground/errors.ts'
import { evaluate } from '../../src/language/evaluate.ts'
import { toText } from '../../src/language/infix.ts'
import type { Expr } from '../../src/language/nodes.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { needsGuard, singularPairs } from '../../src/problem/workloads/bodies/coincident.ts'
import { reduce } from '../../src/problem/workloads/pair.ts'
import { termOf } from '../../src/problem/workloads/quantity.ts'
import { oneFrom, random } from '../support/random.ts'

const parameters = { e: 0.5, k: 2 }
/** A sum would leave out terms that vanish. */
const workloadOf = (text: string) => reduce('max', pairTerm(text, { parameters })())

const expressionsOf = (text: string): readonly Expr[] => {
  const term = termOf(workloadOf(text), 3)
  if (term.form === 'radial') throw new Error('expected components')
  return term.components
}

const conditionOf = (text: string): string => {
  const condition = singularPairs(termOf(workloadOf(text), 3), 'f64')
  return typeof condition === 'boolean' ? String(condition) : toText(condition)
}

describe('the condition', () => {
  it.each([
    ['w_j*r^(-n_i)', '(-n_i < 0)'],
    ['w_j/(r + s_j)', '(abs(s_j) < 2.2250738585072014e-308)'],
    ['select(r < s_i, 0, 1/r)', '!((0 < s_i))'],
    // The least number has a square root that is normal, but its square has no finite inverse.
    ['w_j/sqrt(r2 + s_i^2)', '(s_i^2 < 2.2250738585072014e-308)'],
    ['w_j/(r + s_j)^2', '(abs(s_j) < 7.458340731200207e-155)'],
    ['q_i/r', 'true'],
    ['w_j*exp(-r)', 'false'],
    // A root of attributes alone is real or has no value at any distance.
    ['sqrt(w_i*w_j)', 'false'],
    ['log(0.1 + s_i^2)', 'false'],
    ['tanh(1/r)', 'false'],
    ['min(1/r, w_j)', 'false'],
  ])('of %s is %s', (text, condition) => {
    expect(conditionOf(text)).toBe(condition)
  })
})

const leaves = ['r', 'r', 'r2', 'dx', 'a_i', 'a_j', 'b_i', 'b_j', '0.5', '2']
const unary = ['exp', 'tanh', 'abs', 'sin', 'erfc', 'sign', 'floor']
/** These have no value for negative numbers. */
const ofSize = ['log', 'sqrt', 'inverseSqrt']

function expression(pick: <T>(list: readonly T[]) => T, depth: number): string {
  if (depth === 0) return pick(leaves)
  const of = (): string => `(${expression(pick, depth - pick([1, 1, 2].filter((less) => less <= depth)))})`
  const form = pick(['+', '-', '*', '/', '/', '^', 'unary', 'ofSize', 'min', 'max', 'select', 'pow'])
  if (form === '^') return `${of()}^${pick(['(-1)', '(-2)', '2', '3'])}`
  if (form === 'unary') return `${pick(unary)}${of()}`
  if (form === 'ofSize') return `${pick(ofSize)}(abs${of()})`
  if (form === 'select') return `select(${of()} ${pick(['<', '<='])} ${of()}, ${of()}, ${of()})`
  // An infinite exponent counts as an infinite power, although powers of small numbers vanish.
  if (form === 'pow') return `pow(${of()}, ${pick(['a_i', 'b_j', 'r - a_j', '-b_i'])})`
  return form.length === 1 ? `${of()}${form}${of()}` : `${form}(${of()}, ${of()})`
}

function accepted(text: string): boolean {
  try {
    return expressionsOf(text).length > 0
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

/** Whether the term of a pair is finite at a distance. */
function isFiniteAt(components: readonly Expr[], numbers: Readonly<Record<string, number>>, r: number): boolean {
  const place = { dx: r, dy: 0, dz: 0, r2: r * r }
  return components.every((e) => Number.isFinite(evaluate(e, { ...parameters, ...numbers, ...place })))
}

test('holds exactly for the pairs whose term is not finite, in random laws', () => {
  const next = random(51)
  const pick = <T>(list: readonly T[]): T => oneFrom(next, list)
  const guards = { false: 0, true: 0, 'per-pair': 0 }
  const faults: unknown[] = []
  for (let n = 0; n < 500; n++) {
    const text = expression(pick, pick([1, 2, 3, 4]))
    // A part like 1/(r - r) is rejected.
    if (!accepted(text)) continue
    const components = expressionsOf(text)
    const guard = needsGuard(workloadOf(text), 3, parameters)
    guards[`${guard}`]++
    const condition = singularPairs(termOf(workloadOf(text), 3), 'f64')
    for (let pair = 0; pair < 8; pair++) {
      const value = () => pick([0, 0, 0.5, 1, 2])
      const numbers = { a_i: value(), a_j: value(), b_i: value(), b_j: value() }
      const singular =
        guard === 'per-pair' && typeof condition !== 'boolean'
          ? evaluate(condition, { ...parameters, ...numbers }) === 1
          : guard !== false
      const finite = isFiniteAt(components, numbers, 0)
      // A root of a negative number has no value at any distance.
      if (singular !== finite || !isFiniteAt(components, numbers, 0.3)) continue
      faults.push({ text, numbers, guard, finite })
    }
  }
  expect(faults).toEqual([])
  for (const count of Object.values(guards)) expect(count).toBeGreaterThan(50)
})
