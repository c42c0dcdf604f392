// Reductions as data: the table holds all of them, lists their results, and refuses others. The conformance suite proves their
// `combine` on every backend.

import { expect, expectTypeOf, test } from 'vitest'
import { evaluate } from '../src/language/evaluate.ts'
import { pairTerm } from '../src/problem/interactions/define.ts'
import { numbersFold, type StateChange } from '../src/problem/reductions/numbers.ts'
import { keepsNumbers, reductions, ruleOf } from '../src/problem/reductions/table.ts'
import { workloadOf } from '../src/problem/workloads/from-data.ts'
import { countWithin, matrix, nearest, neighborsWithin, reduce, sum } from '../src/problem/workloads/pair.ts'
import type { PairWorkload, Reduction } from '../src/problem/workloads/workload.ts'
import { combine } from '../src/truth/folds/combine.ts'
import { foldOf } from '../src/truth/reference/folds.ts'

const term = pairTerm('r')()
const shape = { dimension: 3, targets: 2, sources: 3, sameSet: false, vectors: ['position'] } as const

/** The others are `reduce` of the term. */
const workloads: Partial<Readonly<Record<Reduction, PairWorkload>>> = {
  sum: sum(term),
  count: countWithin(1),
  list: neighborsWithin(1),
  smallest: nearest(2),
  least: nearest(2, term),
  none: matrix(term),
}
const each = (Object.keys(reductions) as Reduction[]).map(
  (name) => [name, workloads[name] ?? reduce(name as 'min', term)] as const,
)

test.each(each)('a workload of %s has the results of its rule', (name, workload) => {
  expect(workload.reduction).toBe(name)
  expect(workload.results).toEqual(Object.keys(ruleOf(workload).results))
})

test.each(each)('empty results of %s combine to empty results', (_, workload) => {
  const nothing = () => foldOf(workload, shape, 2).results()
  for (const [name, numbers] of Object.entries(nothing()))
    expect([...numbers]).toEqual(Array(numbers.length).fill(ruleOf(workload).results[name]))
  expect(combine(workload, nothing(), nothing())).toEqual(nothing())
})

test.each(each)('combining results of %s does not change the parts, and needs both', (_, workload) => {
  const part = () => foldOf(workload, shape, 2).results()
  const [a, b] = [part(), part()]
  const combined = combine(workload, a, b)
  for (const numbers of Object.values(combined)) numbers.fill(7)
  expect([a, b]).toEqual([part(), part()])
  const [name = ''] = workload.results
  expect(() => combine(workload, a, {})).toThrow(`"${name}" expected two results for the same targets, got `)
})

test('a result that is named after its quantity is combined, too', () => {
  const workload: PairWorkload = { ...sum(term), results: ['potential'] }
  expect(combine(workload, { potential: Float32Array.of(1, 2) }, { potential: Float32Array.of(3, 4) })).toEqual({
    potential: Float32Array.of(4, 6),
  })
})

const rules = (Object.keys(reductions) as Reduction[])
  .filter(keepsNumbers)
  .map((name) => [name, reductions[name]] as const)

test.each(rules)('the rule of %s gives the results of the reference', (reduction, rule) => {
  const { state, add, join, results, fromResults } = numbersFold(rule)
  const names = state.map(({ name }) => name)
  const others = names.map((name) => `other_${name}`)
  const first = state.map(({ empty }) => Math.min(Math.max(empty, -Number.MAX_VALUE), Number.MAX_VALUE))
  const changed = ({ lets, next }: StateChange, values: Record<string, number>) => {
    const known = { ...values }
    for (const { name, expr } of lets) known[name] = evaluate(expr, known)
    return next.map((e) => evaluate(e, known))
  }
  const named = (keys: readonly string[], values: readonly number[]) =>
    Object.fromEntries(keys.map((key, n) => [key, values[n] as number]))
  const folded = (terms: readonly number[]) =>
    terms.reduce<readonly number[]>((numbers, x) => changed(add, { ...named(names, numbers), term: x }), first)
  const joined = (a: readonly number[], b: readonly number[]) =>
    changed(join, { ...named(names, a), ...named(others, b) })
  const resultsOf = (numbers: readonly number[]) =>
    Object.fromEntries(results.map(({ name, value }) => [name, evaluate(value, named(names, numbers))]))

  const workload = reduce(reduction, term)
  const reference = (terms: readonly number[]) => {
    const fold = foldOf(workload, { ...shape, sources: terms.length }, 1)
    for (const [j, x] of terms.entries()) fold.add(0, j, Float64Array.of(x))
    return Object.fromEntries(Object.entries(fold.results()).map(([name, [value = 0]]) => [name, value]))
  }
  const terms = [0.5, -2, 3, 3, -1e3, 7, 0]
  const whole = folded(terms)
  for (const got of [
    resultsOf(whole),
    resultsOf(joined(folded(terms.slice(0, 3)), folded(terms.slice(3)))),
    resultsOf(joined(first, whole)),
    resultsOf(joined(whole, first)),
    resultsOf(fromResults.map((e) => evaluate(e, resultsOf(whole)))),
  ])
    for (const [name, value] of Object.entries(reference(terms))) expect(got[name]).toBeCloseTo(value, 12)
  expect(joined(first, first)).toEqual(first)
})

test('an unknown reduction does not compile, and is refused at run time', () => {
  expectTypeOf<'median'>().not.toExtend<Reduction>()
  // @ts-expect-error: the table is exhaustive, and so are the folds of every backend
  const incomplete: Readonly<Record<Reduction | 'median', unknown>> = reductions
  expect(Object.keys(incomplete)).not.toContain('median')

  const median = (workload: PairWorkload): PairWorkload => ({ ...workload, reduction: 'median' as Reduction })
  for (const [, workload] of each) {
    expect(() => ruleOf(median(workload))).toThrow(/"workload.reduction" expected "sum" or .*, got "median"/)
    expect(() => workloadOf(median(workload))).toThrow('median')
  }
  expect(() => reduce('median' as 'min', term)).toThrow(/"operation" expected "min" or .*, got "median"/)
  expect(() => reduce('count' as 'min', term)).toThrow(/"operation" expected "min" or .*, got "count"/)
  for (const name of ['toString', '__proto__', 'constructor'])
    expect(() => ruleOf({ reduction: name as Reduction })).toThrow('"workload.reduction" expected')
})
