/**
 * Proxies on a grid of Gauss-Legendre points, which match all moments up to a degree along each axis. Their weights give every
 * polynomial of that degree the same sum over the proxies as over the points.
 *
 * Where points fill their box evenly, such a grid also matches moments up to about twice that degree, and of all grids it has the
 * least error in the mean.
 *
 * One grid serves weights of any sign, and all weights of a source. Grids of smaller boxes add up to the grid of a larger box without
 * any loss, because the polynomials of the larger grid are polynomials in the smaller box.
 *
 * @source L. Wang, R. Krasny, S. Tlupova, "A kernel-independent treecode based on barycentric Lagrange interpolation",
 * Commun. Comput. Phys. 28 (2020) 1415, who use Chebyshev points of the second kind
 * @module
 */
import type { BoxIn, ProxyScheme, WeightedPoints } from './proxy-scheme.ts'

/** A grid of `(degree + 1)^dimension` proxies. */
export function gridScheme(degree: number, dimension: number, weights: number): ProxyScheme {
  const points = degree + 1
  const size = points ** dimension
  const { points: nodes, factors } = gridAxis(degree)
  const values = new Float64Array(dimension * points)
  const place = new Float64Array(dimension)

  /** The value at a place of the polynomials that are 1 at one node and 0 at the others, axis by axis. */
  const evaluate = (x: ArrayLike<number>, from: number, { boxes, at }: BoxIn) => {
    for (let axis = 0; axis < dimension; axis++) {
      const t = ((x[from + axis] as number) - (boxes[at + axis] as number)) / halfOf({ boxes, at }, axis, dimension)
      for (let k = 0; k < points; k++) {
        let value = factors[k] as number
        for (let m = 0; m < points; m++) if (m !== k) value *= t - (nodes[m] as number)
        values[axis * points + k] = value
      }
    }
  }
  /** The product of the polynomials of one proxy. */
  const productAt = (proxy: number): number => {
    let product = 1
    for (let axis = 0, rest = proxy; axis < dimension; axis++, rest = Math.floor(rest / points))
      product *= values[axis * points + (rest % points)] as number
    return product
  }
  const spread = (weight: Float64Array, from: number, state: Float64Array, at: number) => {
    for (let proxy = 0; proxy < size; proxy++) {
      const share = productAt(proxy)
      for (let w = 0; w < weights; w++) {
        const to = at + proxy * weights + w
        state[to] = (state[to] as number) + share * (weight[from + w] as number)
      }
    }
  }
  const placeOf = (proxy: number, { boxes, at }: BoxIn) => {
    for (let axis = 0, rest = proxy; axis < dimension; axis++, rest = Math.floor(rest / points))
      place[axis] =
        (boxes[at + axis] as number) + halfOf({ boxes, at }, axis, dimension) * (nodes[rest % points] as number)
    return place
  }

  return {
    name: `grid of degree ${degree}`,
    size,
    stateSize: size * weights,
    addPoints({ position, weight }, first, last, box, state, at) {
      for (let point = first; point < last; point++) {
        evaluate(position, point * dimension, box)
        spread(weight, point * weights, state, at)
      }
    },
    addBox(inner, innerAt, box, state, at) {
      for (let proxy = 0; proxy < size; proxy++) {
        evaluate(placeOf(proxy, inner), 0, box)
        spread(state, innerAt + proxy * weights, state, at)
      }
    },
    place(box, state, at, proxies: WeightedPoints, first) {
      for (let proxy = 0; proxy < size; proxy++) proxies.position.set(placeOf(proxy, box), (first + proxy) * dimension)
      proxies.weight.set(state.subarray(at, at + size * weights), first * weights)
    },
  }
}

/**
 * The points of a grid along an axis from -1 to 1: the zeros of the Legendre polynomial of degree `degree + 1`. At each point, the
 * product of the distances to all other points, times its factor, is 1.
 */
export function gridAxis(degree: number): { readonly points: readonly number[]; readonly factors: readonly number[] } {
  const count = degree + 1
  const points = Array.from({ length: count }, (_, k) => legendreZero(count, k))
  return {
    points,
    factors: points.map((t, k) => 1 / points.reduce((product, u, m) => (m === k ? product : product * (t - u)), 1)),
  }
}

/** Steps of Newton's method, which suffice from the first estimate on. */
const newtonSteps = 6

/** A zero of a Legendre polynomial, the largest first. */
function legendreZero(degree: number, k: number): number {
  let t = Math.cos((Math.PI * (k + 0.75)) / (degree + 0.5))
  for (let step = 0; step < newtonSteps; step++) {
    let [before, value] = [1, t]
    for (let m = 2; m <= degree; m++) [before, value] = [value, ((2 * m - 1) * t * value - (m - 1) * before) / m]
    t -= (value * (t * t - 1)) / (degree * (t * value - before))
  }
  return t
}

/** The least height of a grid, relative to its longest edge. */
export const flatGrid = 1e-3

/** Flat boxes get some height, so that nothing is divided by 0. */
function halfOf({ boxes, at }: BoxIn, axis: number, dimension: number): number {
  let longest = 0
  for (let k = 0; k < dimension; k++) longest = Math.max(longest, boxes[at + 3 + k] as number)
  return Math.max(boxes[at + 3 + axis] as number, longest * flatGrid, Number.MIN_VALUE)
}
