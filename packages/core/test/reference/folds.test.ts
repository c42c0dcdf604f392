// Folds: ties, nothing at all, infinities, and going on from earlier results.

import { describe, expect, it } from 'vitest'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { countWithin, matrix, nearest, neighborsWithin, reduce, sum } from '../../src/problem/workloads/pair.ts'
import type { ArrayResults, PairWorkload, ReduceOperation } from '../../src/problem/workloads/workload.ts'
import { type Fold, foldOf } from '../../src/truth/reference/folds.ts'

const term = pairTerm('r')()
const reduction = (operation: ReduceOperation): PairWorkload => reduce(operation as 'min', term)

const set = { dimension: 3, targets: 2, sameSet: false, vectors: ['position'] } as const

/** The results of one target over terms in source order, in one go or with a break before some source. */
function folded(workload: PairWorkload, terms: readonly number[], breaks: readonly number[] = []): ArrayResults {
  const shape = { ...set, sources: terms.length }
  let initial: ArrayResults = {}
  let fold: Fold = foldOf(workload, shape, 1, initial)
  for (const [j, value] of terms.entries()) {
    if (breaks.includes(j)) {
      initial = fold.results()
      fold = foldOf(workload, shape, 1, initial)
    }
    fold.add(0, j, Float64Array.of(value))
  }
  return fold.results()
}

const f = (...values: number[]) => Float64Array.of(...values)
const i = (...values: number[]) => Int32Array.of(...values)
const many = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]

describe('a fold of no terms', () => {
  it.each<[workload: PairWorkload, expected: ArrayResults]>([
    [sum(term), { value: f(0) }],
    [reduction('min'), { value: f(Infinity) }],
    [reduction('max'), { value: f(-Infinity) }],
    [reduction('argmin'), { value: f(Infinity), index: i(-1) }],
    [reduction('argmax'), { value: f(-Infinity), index: i(-1) }],
    [reduction('logsumexp'), { value: f(-Infinity) }],
    [nearest(2), { distance: f(Infinity, Infinity), index: i(-1, -1) }],
    [countWithin(1), { count: Uint32Array.of(0) }],
    [neighborsWithin(1), { offsets: Uint32Array.of(0, 0), index: i() }],
    [matrix(term), { value: f() }],
  ])('has its empty result: case %#', (workload, expected) => {
    expect(folded(workload, [])).toEqual(expected)
  })
})

describe('a fold of many terms', () => {
  it.each<[workload: PairWorkload, expected: ArrayResults]>([
    [sum(term), { value: f(44) }],
    [reduction('min'), { value: f(1) }],
    [reduction('max'), { value: f(9) }],
    [reduction('argmin'), { value: f(1), index: i(1) }],
    [reduction('argmax'), { value: f(9), index: i(5) }],
    [countWithin(1), { count: Uint32Array.of(11) }],
    [matrix(term), { value: f(...many) }],
    [nearest(4), { index: i(1, 3, 6, 0), distance: f(1, 1, Math.SQRT2, Math.sqrt(3)) }],
  ])('has one result, at once or from earlier results: case %#', (workload, expected) => {
    expect(folded(workload, many)).toEqual(expected)
    for (const breaks of [[1], [5], [2, 3, 9]]) expect(folded(workload, many, breaks)).toEqual(expected)
  })
})

it('an unknown reduction throws', () => {
  expect(() => folded({ ...sum(term), reduction: 'median' as 'sum' }, many)).toThrow(
    /"workload.reduction" expected .*, got "median"/,
  )
})

describe('ties', () => {
  it('go to the first source', () => {
    expect(folded(reduction('argmin'), [2, 1, 1]).index).toEqual(i(1))
    expect(folded(reduction('argmax'), [1, 2, 2]).index).toEqual(i(1))
    expect(folded(nearest(3), [2, 2, 2, 2]).index).toEqual(i(0, 1, 2))
  })

  it('go to the first source across ranges, although squaring a rounded root changes it', () => {
    for (const square of [2, 3, 5, 7, 0.1, 1e-5])
      expect(folded(nearest(2), [square, square, square], [1, 2])).toEqual({
        index: i(0, 1),
        distance: f(Math.sqrt(square), Math.sqrt(square)),
      })
  })
})

describe('logsumexp', () => {
  const plain = (terms: readonly number[]) => Math.log(terms.reduce((total, x) => total + Math.exp(x), 0))

  it('is right in any order and when continuing earlier results', () => {
    for (const terms of [many, [...many].reverse()])
      for (const breaks of [[], [1], [4, 7]])
        expect(folded(reduction('logsumexp'), terms, breaks).value?.[0]).toBeCloseTo(plain(many), 13)
  })

  it('neither overflows nor underflows', () => {
    expect(folded(reduction('logsumexp'), [1000, 1000]).value?.[0]).toBeCloseTo(1000 + Math.LN2, 12)
    expect(folded(reduction('logsumexp'), [-1000, -1000, -2000]).value?.[0]).toBeCloseTo(-1000 + Math.LN2, 12)
    expect(folded(reduction('logsumexp'), [-1e308, 1e308]).value).toEqual(f(1e308))
  })

  it('accepts infinite terms', () => {
    expect(folded(reduction('logsumexp'), [-Infinity, 2]).value).toEqual(f(2))
    expect(folded(reduction('logsumexp'), [-Infinity, -Infinity]).value).toEqual(f(-Infinity))
    for (const terms of [
      [Infinity, 2],
      [2, Infinity],
      [Infinity, Infinity],
      [2, Infinity, 3, Infinity],
    ])
      for (const breaks of [[], [1]]) expect(folded(reduction('logsumexp'), terms, breaks).value).toEqual(f(Infinity))
  })
})

describe('infinite terms', () => {
  it('can be extremes', () => {
    expect(folded(reduction('argmin'), [3, -Infinity, 1])).toEqual({ value: f(-Infinity), index: i(1) })
    expect(folded(reduction('argmax'), [3, Infinity, Infinity])).toEqual({ value: f(Infinity), index: i(1) })
    expect(folded(reduction('max'), [3, -Infinity]).value).toEqual(f(3))
  })
})

it('vectors are summed by component, separately for each row', () => {
  const fold = foldOf(sum(pairTerm({ a: '1', b: '1' })()), { ...set, sources: 3 }, 2)
  fold.add(0, 0, f(1, 2))
  fold.add(1, 0, f(3, 4))
  fold.add(0, 2, f(10, 20))
  expect(fold.results()).toEqual({ value: f(11, 22, 3, 4) })
})
