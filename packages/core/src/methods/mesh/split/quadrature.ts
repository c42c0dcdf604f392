/**
 * Quadrature: nodes and weights of sums that stand for integrals.
 *
 * @module
 */

export interface Quadrature {
  readonly nodes: Float64Array
  readonly weights: Float64Array
}

/** The rule of Gauss and Legendre over -1 to 1: exact for polynomials of a degree below twice the count. */
export function gaussLegendre(count: number): Quadrature {
  const nodes = new Float64Array(count)
  const weights = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (count + 0.5))
    let slope = 1
    // Newton's iteration from this start needs five steps at most.
    for (let step = 0; step < 8; step++) {
      let [before, value] = [1, x]
      for (let n = 2; n <= count; n++) [before, value] = [value, ((2 * n - 1) * x * value - (n - 1) * before) / n]
      slope = (count * (x * value - before)) / (x * x - 1)
      x -= value / slope
    }
    nodes[i] = x
    weights[i] = 2 / ((1 - x * x) * slope * slope)
  }
  return { nodes, weights }
}

/** How far the variable of a double exponential rule goes; beyond, its weights are below the precision. */
const [furthest, step] = [4.2, 1 / 24]

/**
 * The integral of a function from 0 to `end`; the function may be infinite at 0. @source Takahasi and Mori, Publ. RIMS 9 (1974) 721
 */
export function integralFrom0(f: (x: number) => number, end: number): number {
  let total = 0
  for (let t = -furthest; t <= furthest; t += step) {
    const u = (Math.PI / 2) * Math.sinh(t)
    // Near 0 the place keeps its digits, because it is no difference.
    const place = end / (1 + Math.exp(-2 * u))
    const weight = ((Math.PI / 4) * Math.cosh(t)) / Math.cosh(u) ** 2
    if (place > 0 && weight > 0) total += weight * f(place)
  }
  return total * step * end
}

/** The integral of a function that decays, from `start` > 0 to infinity. */
export function integralToInfinity(f: (x: number) => number, start: number): number {
  let total = 0
  for (let t = -furthest; t <= furthest; t += step) {
    const beyond = start * Math.exp((Math.PI / 2) * Math.sinh(t))
    const term = f(start + beyond) * beyond * Math.cosh(t)
    if (Number.isFinite(term)) total += term
  }
  return (total * step * Math.PI) / 2
}
