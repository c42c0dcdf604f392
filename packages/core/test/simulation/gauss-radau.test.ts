// The polynomials of IAS15: seven values find a polynomial of seventh degree, and it goes on in the next step.

import { expect, it } from 'vitest'
import {
  continued,
  degree,
  differencesOf,
  improve,
  nodes,
  noTerms,
  type Series,
} from '../../src/simulation/gauss-radau/polynomials.ts'
import { growthAfter } from '../../src/simulation/gauss-radau/step-length.ts'

const given: Series = Array.from({ length: degree }, (_, m) => Float64Array.of(1 / (m + 1), (-1) ** m, m - 3))
const valueAt = (terms: Series, k: number, s: number) =>
  terms.reduce((sum, term, m) => sum + (term[k] as number) * s ** (m + 1), 0)

it('seven values are a polynomial', () => {
  const course = { terms: noTerms(3), differences: noTerms(3), lost: noTerms(3) }
  for (let node = 1; node < nodes.length; node++) {
    const changes = Float64Array.from({ length: 3 }, (_, k) => valueAt(given, k, nodes[node] as number))
    expect(improve(course, node, changes)).toBeGreaterThan(0)
  }
  for (const [m, term] of course.terms.entries())
    for (const [k, value] of term.entries()) expect(value).toBeCloseTo(given[m]?.[k] as number, 9)
})

it('a polynomial that is known already does not change', () => {
  const course = { terms: given.map((term) => term.slice()), differences: noTerms(3), lost: noTerms(3) }
  differencesOf(course.terms, course.differences)
  for (let node = 1; node < nodes.length; node++) {
    const changes = Float64Array.from({ length: 3 }, (_, k) => valueAt(given, k, nodes[node] as number))
    expect(improve(course, node, changes)).toBeLessThan(1e-9)
  }
})

it('a polynomial goes on in a longer step', () => {
  const next = noTerms(3)
  continued(given, 1.5, next)
  for (const k of [0, 1, 2])
    for (const s of [0.25, 1])
      expect(valueAt(next, k, s)).toBeCloseTo(valueAt(given, k, 1 + 1.5 * s) - valueAt(given, k, 1), 9)
})

it('the fastest point decides how long a step is, and a point without a force does not count', () => {
  // The acceleration of a turn, over an angle: it changes within the angle 1.
  const turning = (angle: number) =>
    Array.from({ length: degree }, (_, m) => {
      const [n, sign] = [m + 1, (m + 1) % 4 < 2 ? 1 : -1]
      let size = 1
      for (let i = 1; i <= n; i++) size *= angle / i
      return n % 2 === 0 ? Float64Array.of(sign * size, 0, 0, 0) : Float64Array.of(0, sign * size, 0, 0)
    })
  const start = Float64Array.of(1, 0, 0, 0)
  const [slow, fast] = [0.1, 0.2].map((angle) => growthAfter(start, turning(angle), 2, 1 / 5040))
  expect(slow).toBeCloseTo(10, 4)
  expect(fast).toBeCloseTo(5, 3)
  expect(growthAfter(new Float64Array(4), noTerms(4), 2, 1e-9)).toBe(4)
})
