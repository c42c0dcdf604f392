// Proxies: the moments that they match exactly, how fast their error falls with the degree, and that children add up to their parents.

import type { BlockTree } from '@manybody/core/backend'
import { describe, expect, it } from 'vitest'
import { blockTree } from '../../src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../src/methods/ranges/boxes.ts'
import { orderPoints } from '../../src/methods/ranges/order.ts'
import { gridScheme } from '../../src/methods/tolerance/grid.ts'
import { proxiesOf, weightCentres } from '../../src/methods/tolerance/proxies.ts'
import type { ProxyScheme, WeightedPoints } from '../../src/methods/tolerance/proxy-scheme.ts'
import { groupsIn, simplexScheme } from '../../src/methods/tolerance/simplex.ts'
import { between, random as randomOf } from '../support/random.ts'

const random = randomOf(17)
const count = 120

interface Case {
  readonly dimension: 2 | 3
  readonly weights: number
  readonly signed: boolean
}

const cases: readonly Case[] = [
  { dimension: 3, weights: 1, signed: false },
  { dimension: 2, weights: 1, signed: false },
  { dimension: 3, weights: 3, signed: true },
  { dimension: 2, weights: 2, signed: true },
]

/** Points in a box that is far from the origin and not a cube, with their only node. */
function boxed({ dimension, weights, signed }: Case) {
  const edges = [1, 3, 0.5]
  const position = Float64Array.from(
    { length: count * dimension },
    (_, n) => 7 + random() * (edges[n % dimension] ?? 1),
  )
  const weight = Float64Array.from({ length: count * weights }, () => between(random, signed ? -1 : 0.1, 1))
  const boxes = new Float64Array(8)
  for (let axis = 0; axis < dimension; axis++) {
    const x = position.filter((_, n) => n % dimension === axis)
    const [low, high] = [Math.min(...x), Math.max(...x)]
    boxes.set([(low + high) / 2], axis)
    boxes.set([(high - low) / 2], 3 + axis)
  }
  return { points: { position, weight }, box: { boxes, at: 0 } }
}

/** The proxies of all points of a case. */
function proxiesIn(scheme: ProxyScheme, { points, box }: ReturnType<typeof boxed>, { dimension, weights }: Case) {
  const state = new Float64Array(scheme.stateSize)
  scheme.addPoints(points, 0, count, box, state, 0)
  const proxies = {
    position: new Float64Array(scheme.size * dimension),
    weight: new Float64Array(scheme.size * weights),
  }
  scheme.place(box, state, 0, proxies, 0)
  return proxies
}

/** The sum of a function over points, for one of their weights, and the sum of its sizes. */
function sumOf(
  { position, weight }: WeightedPoints,
  { dimension, weights }: Case,
  f: (x: Float64Array, weight: number) => number,
  w = 0,
) {
  let [value, size] = [0, 0]
  for (let n = 0; n * weights < weight.length; n++) {
    const own = weight[n * weights + w] as number
    const term = own === 0 ? 0 : own * f(position.subarray(n * dimension, (n + 1) * dimension), own)
    value += term
    size += Math.abs(term)
  }
  return { value, size }
}

/** All products of powers up to `most` along each axis, or in all. */
function powers(dimension: number, most: number, together = false): readonly (readonly number[])[] {
  const all = Array.from({ length: (most + 1) ** dimension }, (_, n) =>
    Array.from({ length: dimension }, (_, axis) => Math.floor(n / (most + 1) ** axis) % (most + 1)),
  )
  return together ? all.filter((exponents) => exponents.reduce((a, b) => a + b) <= most) : all
}

/** A product of powers of coordinates in the box, between -1 and 1. */
const monomial =
  (exponents: readonly number[], { box }: ReturnType<typeof boxed>) =>
  (x: Float64Array) =>
    exponents.reduce((product, exponent, axis) => {
      const t = ((x[axis] as number) - (box.boxes[axis] as number)) / (box.boxes[3 + axis] as number)
      return product * t ** exponent
    }, 1)

describe.each(cases)('in $dimension-D with $weights weights (signed: $signed)', (given) => {
  const { dimension, weights } = given
  const set = boxed(given)

  it.each([2, 3, 4, 5, 6])('a grid of degree %i matches every moment up to that power of each coordinate', (degree) => {
    const proxies = proxiesIn(gridScheme(degree, dimension, weights), set, given)
    let worst = 0
    for (const exponents of powers(dimension, degree))
      for (let w = 0; w < weights; w++) {
        const expected = sumOf(set.points, given, monomial(exponents, set), w)
        worst = Math.max(worst, Math.abs(sumOf(proxies, given, monomial(exponents, set), w).value - expected.value))
      }
    expect(worst).toBeLessThan(1e-13 * count)
    const beyond = monomial([degree + 1, ...Array<number>(dimension - 1).fill(0)], set)
    expect(Math.abs(sumOf(proxies, given, beyond).value - sumOf(set.points, given, beyond).value)).toBeGreaterThan(1e-6)
  })

  it('a simplex matches total, centre and second moments of each weight, by sign', () => {
    const groups = groupsIn(set.points.weight, weights)
    expect(groups).toHaveLength(weights * (given.signed ? 2 : 1))
    const proxies = proxiesIn(simplexScheme(groups, dimension, weights), set, given)
    expect(proxies.weight).toHaveLength(groups.length * (dimension + 1) * weights)
    for (const exponents of powers(dimension, 2, true))
      for (const { weight, sign } of groups) {
        const f = (x: Float64Array, own: number) => (own * sign > 0 ? monomial(exponents, set)(x) : 0)
        const expected = sumOf(set.points, given, f, weight)
        expect(Math.abs(sumOf(proxies, given, f, weight).value - expected.value)).toBeLessThan(1e-13 * count)
      }
  })

  it('the error for 1/r falls by more than 3 with each degree, and that of a simplex is that of degree 2', () => {
    const target = new Float64Array(dimension).fill(12)
    const f = (x: Float64Array) => 1 / Math.hypot(...x.map((v, axis) => v - (target[axis] as number)))
    const { value, size } = sumOf(set.points, given, f)
    const errorOf = (scheme: ProxyScheme) =>
      Math.abs(sumOf(proxiesIn(scheme, set, given), given, f).value - value) / size
    const errors = [2, 3, 4, 5, 6].map((degree) => errorOf(gridScheme(degree, dimension, weights)))
    expect(errors[0]).toBeLessThan(1e-3)
    expect((errors[4] as number) / (errors[0] as number)).toBeLessThan(3 ** -4)
    expect(errorOf(simplexScheme(groupsIn(set.points.weight, weights), dimension, weights))).toBeLessThan(3e-3)
  })
})

/** A tree over points, and its points in the order of places. */
function planted({ dimension, weights, signed }: Case, position: Float64Array): [BlockTree, WeightedPoints] {
  const points = position.length / dimension
  const tree = blockTree(points)
  orderPoints({ position, dimension, lengths: [] }, tree)
  fitBoxes({ position, dimension, lengths: [] }, tree)
  const ordered = new Float64Array(position.length)
  for (const [place, point] of tree.order.entries())
    ordered.set(position.subarray(point * dimension, (point + 1) * dimension), place * dimension)
  const weight = Float64Array.from({ length: points * weights }, () => between(random, signed ? -1 : 0.1, 1))
  return [tree, { position: ordered, weight }]
}

describe.each(cases)('over a tree in $dimension-D with $weights weights (signed: $signed)', (given) => {
  const { dimension, weights } = given
  const clustered = Float64Array.from({ length: 900 * dimension }, () => random() ** 3)
  const [tree, points] = planted(given, clustered)

  it.each(['simplex', 2, 4] as const)('proxies from children are those from points (%s)', (kind) => {
    const scheme =
      kind === 'simplex'
        ? simplexScheme(groupsIn(points.weight, weights), dimension, weights)
        : gridScheme(kind, dimension, weights)
    const { first, points: proxies } = proxiesOf(tree, points, dimension, scheme)
    const scale = Math.max(...points.weight.map(Math.abs)) * 900
    let [nodes, worst] = [0, 0]
    for (const [node, proxy] of first.entries()) {
      const [from, to] = tree.links.subarray(node * 16 + 12, node * 16 + 14) as unknown as [number, number]
      expect(proxy >= 0).toBe(to - from > scheme.size)
      if (proxy < 0) continue
      nodes++
      const box = { boxes: tree.boxes, at: node * 8 }
      const state = new Float64Array(scheme.stateSize)
      scheme.addPoints(points, from, to, box, state, 0)
      const own = {
        position: new Float64Array(scheme.size * dimension),
        weight: new Float64Array(scheme.size * weights),
      }
      scheme.place(box, state, 0, own, 0)
      // The axes of a simplex may be in another order and have other signs, so compare its moments.
      const part = {
        position: proxies.position.subarray(proxy * dimension, (proxy + scheme.size) * dimension),
        weight: proxies.weight.subarray(proxy * weights, (proxy + scheme.size) * weights),
      }
      for (const exponents of powers(dimension, 2, true))
        for (let w = 0; w < weights; w++) {
          const f = (x: Float64Array) => exponents.reduce((p, exponent, axis) => p * (x[axis] as number) ** exponent, 1)
          const difference = sumOf(part, given, f, w).value - sumOf(own, given, f, w).value
          worst = Math.max(worst, Math.abs(difference))
        }
      if (kind !== 'simplex')
        for (const [n, value] of own.weight.entries())
          worst = Math.max(worst, Math.abs(value - (part.weight[n] as number)))
    }
    expect(nodes).toBeGreaterThan(3)
    expect(worst).toBeLessThan(1e-13 * scale)
  })

  it('centres are those of the sizes of weights', () => {
    const centre = weightCentres(tree, points, dimension)
    const totals = Array.from({ length: weights }, (_, w) =>
      points.weight.filter((_, n) => n % weights === w).reduce((sum, x) => sum + Math.abs(x), 0),
    )
    for (let axis = 0; axis < dimension; axis++) {
      let mean = 0
      for (const [n, value] of points.weight.entries())
        mean +=
          (Math.abs(value) / (totals[n % weights] as number) / weights) *
          (points.position[Math.floor(n / weights) * dimension + axis] as number)
      expect(centre[axis]).toBeCloseTo(mean, 12)
    }
  })
})

it.each([1, 2, 3, 4, 6])(
  'where points fill a line evenly, a grid of degree %i matches moments up to twice that, and one',
  (degree) => {
    const count = 20000
    const even = Float64Array.from({ length: count }, (_, n) => (2 * n + 1) / count - 1)
    const points = { position: new Float64Array(2 * count), weight: new Float64Array(count).fill(1 / count) }
    for (const [n, x] of even.entries()) points.position[2 * n] = x
    const box = { boxes: Float64Array.of(0, 0, 0, 1, 1, 0), at: 0 }
    const scheme = gridScheme(degree, 2, 1)
    const state = new Float64Array(scheme.stateSize)
    scheme.addPoints(points, 0, count, box, state, 0)
    const proxies = { position: new Float64Array(scheme.size * 2), weight: new Float64Array(scheme.size) }
    scheme.place(box, state, 0, proxies, 0)
    const momentOf = (power: number) =>
      proxies.weight.reduce((total, weight, n) => total + weight * (proxies.position[2 * n] as number) ** power, 0)
    for (let power = 0; power <= 2 * degree + 1; power++)
      expect(Math.abs(momentOf(power) - (power % 2 ? 0 : 1 / (power + 1)))).toBeLessThan(1e-7)
  },
)

it('points at one place, on a line and without weight have proxies with finite numbers', () => {
  for (const position of [
    new Float64Array(120).fill(0.3),
    Float64Array.from({ length: 120 }, (_, n) => (n % 3 === 0 ? random() : 0)),
  ])
    for (const weight of [new Float64Array(40), new Float64Array(40).fill(1)]) {
      const [tree, { position: ordered }] = planted({ dimension: 3, weights: 1, signed: false }, position)
      for (const scheme of [gridScheme(2, 3, 1), simplexScheme([{ weight: 0, sign: 1 }], 3, 1)]) {
        const { points } = proxiesOf(tree, { position: ordered, weight }, 3, scheme)
        expect(points.weight.length).toBeGreaterThan(0)
        expect([...points.position, ...points.weight].every(Number.isFinite)).toBe(true)
        const total = points.weight.subarray(0, scheme.size).reduce((a, b) => a + b)
        expect(total).toBeCloseTo(40 * (weight[0] as number), 12)
      }
    }
})
