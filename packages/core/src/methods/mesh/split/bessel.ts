/**
 * Bessel functions of the orders 0 and 1, which are the waves of a plane: `J + iY = G exp(ix)`, with a factor `G` that does not oscillate.
 *
 * From 2 on, series in `1/x` give `G`. They are fitted to Hankel's integral, which the trapezoidal rule finds to the last digit. Up to 2,
 * the power series of `J` and `Y` lose no digits.
 *
 * @source Watson, A Treatise on the Theory of Bessel Functions (1922), 3.5 and 6.12
 * @module
 */
import { fitted, seriesAt } from './chebyshev.ts'

export type Order = 0 | 1

/** Up to here, power series converge without cancellation. */
const small = 2

/** From these places on, the factor has series in 1/x with so many terms. */
const starts = [
  [small, 26],
  [8, 15],
  [32, 8],
] as const

/** Terms of the power series. */
const terms = 14
/** The step and the number of nodes of the trapezoidal rule. Its error is `exp(-2 pi sqrt(x)/step)`. */
const [step, nodes] = [0.2, 32]

const gamma = 0.5772156649015329

/** `G sqrt(x)` by Hankel's integral. */
function integral(order: Order, x: number): readonly [re: number, im: number] {
  let [re, im] = [0, 0]
  for (let n = 0; n < nodes; n++) {
    const s2 = (n * step) ** 2
    // (1 + i s^2/2x)^(-1/2), or s^2 times its inverse for the order 1.
    const tilt = s2 / (2 * x)
    const size = Math.sqrt(Math.hypot(1, tilt))
    const angle = Math.atan(tilt) / 2
    const weight = step * Math.exp(-s2) * (n === 0 ? 1 : 2) * (order === 0 ? 1 / size : 2 * s2 * size)
    re += weight * Math.cos(angle)
    im += weight * Math.sin(order === 0 ? -angle : angle)
  }
  // Times exp(-i pi/4), or exp(-3 i pi/4).
  const root = 1 / Math.PI
  return order === 0 ? [(re + im) * root, (im - re) * root] : [(im - re) * root, (-re - im) * root]
}

/** Series of the real and the imaginary part of `G sqrt(x)`, for `1/x` between two numbers. */
interface Piece {
  readonly least: number
  readonly most: number
  readonly re: Float64Array
  readonly im: Float64Array
}

const known = new Map<Order, readonly Piece[]>()

function piecesOf(order: Order): readonly Piece[] {
  const found = known.get(order)
  if (found) return found
  const pieces = starts.map(([start, terms], n): Piece => {
    const next = starts[n + 1]?.[0]
    const [least, most] = [next === undefined ? 0 : 1 / next, 1 / start]
    const part = (which: 0 | 1) =>
      fitted((t) => integral(order, 1 / (least + ((t + 1) / 2) * (most - least)))[which], terms)
    return { least, most, re: part(0), im: part(1) }
  })
  known.set(order, pieces)
  return pieces
}

/** Writes the real and the imaginary part of `G`, for x from 2 on. */
function writeFactor(order: Order, x: number, into: Float64Array): void {
  const pieces = piecesOf(order)
  let n = starts.length - 1
  while (n > 0 && x < (starts[n] as (typeof starts)[number])[0]) n--
  const { least, most, re, im } = pieces[n] as Piece
  const t = (2 * (1 / x - least)) / (most - least) - 1
  const root = 1 / Math.sqrt(x)
  into[0] = seriesAt(re, t) * root
  into[1] = seriesAt(im, t) * root
}

/** `J` and `Y` up to 2, by power series. */
function series(order: Order, x: number): readonly [j: number, y: number] {
  const square = (x * x) / 4
  const log = Math.log(x / 2) + gamma
  let [j, rest] = [0, 0]
  let term = order === 0 ? 1 : x / 2
  // The harmonic numbers of n, and of n + 1.
  let [h, next] = [0, 1]
  for (let n = 0; n < terms; n++) {
    j += term
    rest += term * (order === 0 ? 2 * h : h + next)
    term *= -square / ((n + 1) * (n + 1 + order))
    h = next
    next += 1 / (n + 2)
  }
  const y = (2 * log * j - rest - (order === 0 ? 0 : 2 / x)) / Math.PI
  return [j, y]
}

const parts = new Float64Array(2)

/** The Bessel function of the first kind, for x >= 0. */
export function besselJ(order: Order, x: number): number {
  if (x < small) return series(order, x)[0]
  writeFactor(order, x, parts)
  return (parts[0] as number) * Math.cos(x) - (parts[1] as number) * Math.sin(x)
}

/** The factor `G` of `J + iY = G exp(ix)`, for x > 0. */
export function hankelFactor(order: Order, x: number, into: Float64Array): void {
  if (x >= small) {
    writeFactor(order, x, into)
    return
  }
  const [j, y] = series(order, x)
  const [c, s] = [Math.cos(x), Math.sin(x)]
  into[0] = j * c + y * s
  into[1] = y * c - j * s
}
