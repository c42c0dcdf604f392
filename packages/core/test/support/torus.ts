/**
 * Sums of `-log(r)` over all images in a plane, by Jacobi's theta function: an oracle that shares nothing with the mesh. Their mean is left
 * out.
 *
 * @source Lin and Wang, Elliptic functions, Green functions and the mean field equations on tori, Annals of Mathematics 172 (2010), 2.1
 * @module
 */

type Complex = readonly [re: number, im: number]

const product = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c]
const exponential = ([a, b]: Complex): Complex => [Math.exp(a) * Math.cos(b), Math.exp(a) * Math.sin(b)]

/** Dedekind's eta function, by its product. */
function eta([x, y]: Complex): Complex {
  let found = exponential([(-2 * Math.PI * y) / 24, (2 * Math.PI * x) / 24])
  for (let n = 1; n < 60; n++) {
    const [re, im] = exponential([-2 * Math.PI * y * n, 2 * Math.PI * x * n])
    found = product(found, [1 - re, -im])
  }
  return found
}

/** The size of the first theta function. */
function theta([x, y]: Complex, [re, im]: Complex): number {
  let total: Complex = [0, 0]
  for (let n = -14; n <= 14; n++) {
    const h = n + 0.5
    const term = exponential([
      -Math.PI * im * h * h - 2 * Math.PI * h * y,
      Math.PI * re * h * h + 2 * Math.PI * h * x + Math.PI * n,
    ])
    total = [total[0] + term[0], total[1] + term[1]]
  }
  return Math.hypot(...total)
}

interface Torus {
  /** The sum over all images of a source, at a displacement from it. */
  at(dx: number, dy: number): number
  /** The sum over the images of a source at the source, which does not count itself. */
  readonly itself: number
}

/** The sums in a box with the vectors `(length, 0)` and `b`. */
export function torus(length: number, b: readonly [x: number, y: number]): Torus {
  const tau: Complex = [b[0] / length, b[1] / length]
  const size = Math.hypot(...eta(tau))
  return {
    at(dx, dy) {
      const times = Math.round(dy / length / tau[1])
      const [x, y] = [dx / length - times * tau[0], dy / length - times * tau[1]]
      return -Math.log(theta([x, y], tau) / size) + (Math.PI * y * y) / tau[1]
    },
    itself: Math.log(length) - Math.log(2 * Math.PI * size * size),
  }
}
