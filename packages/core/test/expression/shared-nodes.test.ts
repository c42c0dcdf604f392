// Walks over expressions visit equal nodes once. Written out, the expressions here have 2^16 names and more.

import { expect, test } from 'vitest'
import { boundsOf } from '../../src/language/bounds.ts'
import { differentiate } from '../../src/language/differentiate.ts'
import { evaluateInSteps } from '../../src/language/evaluate.ts'
import { call, type Expr, nodesOf, sum, symbol } from '../../src/language/nodes.ts'
import { parse } from '../../src/language/parse.ts'
import { rebuildWith } from '../../src/language/rebuild.ts'
import { separate } from '../../src/language/separate.ts'
import { simplify } from '../../src/language/simplify.ts'
import { factsOf } from '../../src/problem/workloads/finite-at-contact.ts'
import { sizesHold } from '../../src/problem/workloads/size-range.ts'

const levels = 16

/** Each level reads the level below twice. */
function doubled(start: Expr): Expr {
  let e = start
  for (let n = 0; n < levels; n++) e = sum(e, call('abs', e))
  return e
}

/** The same expression, without shared nodes. */
const anew = (depth: number): Expr => (depth === 0 ? symbol('x') : sum(anew(depth - 1), call('abs', anew(depth - 1))))

/** Counts calls, and gives the same value for each. */
function counting<T>(value: T) {
  const counter = { calls: 0, of: () => value }
  counter.of = () => {
    counter.calls++
    return value
  }
  return counter
}

test('facts of a value', () => {
  const names = counting('mass_i')
  const leaf = Object.defineProperty({ kind: 'symbol' as const, name: '' }, 'name', { get: names.of })
  expect(factsOf(doubled(leaf)).finite).toBe(true)
  expect(names.calls).toBeLessThan(10)
})

test('bounds', () => {
  const range = counting([0, 1] as const)
  const [, high] = boundsOf(doubled(symbol('x')), range.of)
  expect(high).toBeGreaterThanOrEqual(2 ** levels)
  expect(range.calls).toBe(1)
})

test('ranges of sizes', () => {
  const range = counting([0, 1] as const)
  const size = doubled(symbol('radius_i'))
  expect(sizesHold({ target: size, source: size }, range.of, { cutoff: 1e6 })).toBe(true)
  expect(range.calls).toBeLessThan(200)
})

test('values in steps', () => {
  let steps = 0
  const value = evaluateInSteps(doubled(symbol('x')), { x: 1 }, (x) => {
    steps++
    return x
  })
  expect(value).toBe(2 ** levels)
  expect(steps).toBeLessThan(100)
})

test('equal parts that are made anew are rewritten once, and become shared', () => {
  const leaf = counting(symbol('x'))
  const rebuilt = rebuildWith(anew(10), { symbol: leaf.of })
  expect(leaf.calls).toBe(1)
  expect(nodesOf(rebuilt).size).toBe(21)
})

test('equal parts of a derivative are shared', () => {
  const recurrence = Array.from({ length: 10 }, (_, n) => `t${n + 2} = 2*x*t${n + 1} - t${n}`).join('; ')
  const energy = simplify(parse(`t11; t0 = 1; t1 = x; ${recurrence}; x = r/2 - 1`, { names: ['r'] }))
  expect(nodesOf(differentiate(energy, 'r')).size).toBeLessThan(300)
})

test('a choice by an equal condition is separated', () => {
  const condition = () => call('less', symbol('a'), symbol('b'))
  const choice = (a: string, b: string) => call('select', condition(), symbol(a), symbol(b))
  const e = sum(choice('w', 'a'), choice('a', 'w'))
  const separated = separate(e, (name) => (name === 'w' ? 'weight' : 'coefficient'))
  expect('parts' in separated && separated.parts.length).toBe(2)
})
