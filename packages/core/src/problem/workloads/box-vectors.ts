/**
 * The vectors of a triclinic box as a user gives them: their checks, and the vectors of the same box that fit.
 *
 * @module
 */
import { finite, howMany, onlyNamed, unexpected } from '../../ground/checks.ts'
import { dot, type Tilted } from './cell.ts'

/** The vectors of a periodic box: `a` along x, `b` in the plane of x and y. In 2-D there is no `c`. */
export interface BoxVectors {
  readonly a: readonly number[]
  readonly b: readonly number[]
  readonly c?: readonly number[]
}

/** A tilt may exceed half a length by this share: vectors are often rounded. */
const spare = 1e-6

/** The lengths and tilts of a box given by vectors. @throws TypeError, RangeError */
export function cellOf(given: BoxVectors): Tilted {
  const { a, b, c } = onlyNamed(given, 'vector of the box', ['a', 'b', 'c'])
  const dimension = c === undefined ? 2 : 3
  const vectors = Object.entries({ a, b, ...(c && { c }) }).map(([name, vector]) => {
    if (!Array.isArray(vector)) throw unexpected(name, `a vector of ${dimension} numbers`, vector)
    if (vector.length !== dimension)
      throw new TypeError(
        `"${name}" expected ${dimension} numbers, as there are ${dimension} vectors, got ${howMany(vector)}`,
      )
    return vector.map((x, axis) => finite(x, `${name}[${axis}]`))
  })
  const at = (n: number, axis: number) => vectors[n]?.[axis] ?? 0
  const show = (list: readonly (readonly number[])[]) =>
    `{ ${list.map((v, n) => `${'abc'[n]}: [${v.map((x) => Number(x.toPrecision(12))).join(', ')}]`).join(', ')} }`
  const suited = reduced(vectors)
  if (!suited)
    throw new RangeError(
      `"periodic" expected vectors of a right-handed box with a volume, got ${show(vectors)}; exchange two vectors of a left-handed one`,
    )
  const isLower = vectors.every((v, n) => v.every((x, axis) => axis <= n || x === 0) && at(n, n) > 0)
  const isReduced = vectors.every((v, n) =>
    v.every((x, axis) => axis >= n || Math.abs(x) <= at(axis, axis) * (0.5 + spare)),
  )
  if (!(isLower && isReduced))
    throw new RangeError(
      `"periodic" expected ${isLower ? 'tilts of at most half a length' : 'a along x, and b in the plane of x and y'}, got ${show(vectors)}; the same box is ${show(suited)}${isLower ? '' : ', once the positions are turned with it'}`,
    )
  const lengths = vectors.map((_, n) => at(n, n))
  const tilts = dimension === 2 ? [at(1, 0)] : [at(1, 0), at(2, 0), at(2, 1)]
  return tilts.some((x) => x !== 0) ? { lengths, tilts } : { lengths }
}

/** The same box with `a` along x, `b` in the plane of x and y, and the least tilts; undefined if it is flat or left-handed. */
function reduced(vectors: readonly (readonly number[])[]): number[][] | undefined {
  const basis: number[][] = []
  const turned: number[][] = []
  for (const v of vectors) {
    const along = basis.map((e) => dot(e, v))
    const rest = v.map(
      (x, axis) => x - basis.reduce((sum, e, n) => sum + (along[n] as number) * (e[axis] as number), 0),
    )
    const height = Math.hypot(...rest)
    if (!(height > 1e-12 * Math.hypot(...v))) return undefined
    basis.push(rest.map((x) => x / height))
    turned.push(v.map((_, n) => (n < along.length ? (along[n] as number) : n === along.length ? height : 0)))
  }
  const [x = [], y = [], z] = basis
  const [x0 = 0, x1 = 0, x2 = 0] = x
  const [y0 = 0, y1 = 0, y2 = 0] = y
  const handed = z ? dot([x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0], z) : x0 * y1 - x1 * y0
  if (handed < 0) return undefined
  for (const [n, v] of turned.entries())
    for (let k = n - 1; k >= 0; k--) {
      const by = turned[k] as number[]
      const times = Math.round((v[k] as number) / (by[k] as number))
      for (let axis = 0; axis <= k; axis++) v[axis] = (v[axis] as number) - times * (by[axis] as number)
    }
  return turned
}
