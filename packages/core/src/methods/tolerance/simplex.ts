/**
 * Proxies at the corners of a simplex: `dimension + 1` equal weights that have the total weight, the centre and the second
 * moments of the points. This is a quadrupole expansion for any law, without a formula for any.
 *
 * Positive and negative weights get a simplex each, because a sum near 0 has no centre. So does each weight of a source.
 *
 * @module
 */
import type { BoxIn, ProxyScheme } from './proxy-scheme.ts'

/** Corners with mean 0 and with the unit matrix as their second moments. */
export const simplexCorners: Readonly<Record<number, readonly (readonly number[])[]>> = {
  2: [
    [Math.SQRT2, 0],
    [-Math.SQRT1_2, Math.sqrt(1.5)],
    [-Math.SQRT1_2, -Math.sqrt(1.5)],
  ],
  3: [
    [1, 1, 1],
    [1, -1, -1],
    [-1, 1, -1],
    [-1, -1, 1],
  ],
}

/** The rounding error of a second moment, relative to the moment about the centre of the box. */
export const simplexFlat: number = 2 ** -46

/** One of the weights of a source, and the sign that it has in this group. */
export interface WeightGroup {
  readonly weight: number
  readonly sign: 1 | -1
}

/** Simplices for groups of weights. @param weights the number of weights of each source */
export function simplexScheme(groups: readonly WeightGroup[], dimension: number, weights: number): ProxyScheme {
  const simplex = simplexCorners[dimension] as readonly (readonly number[])[]
  /** The total weight, the first moments about the centre of the box, and the second moments. */
  const moments = 1 + dimension + dimension * dimension
  const offset = new Float64Array(dimension)

  /** Adds the moments of a group, which start at `from`. They are moments about a place at `offset` from the centre of the box. */
  const addMoments = (inner: Float64Array, from: number, state: Float64Array, at: number) => {
    const total = inner[from] as number
    state[at] = (state[at] as number) + total
    for (let a = 0; a < dimension; a++) {
      const [da, ma] = [offset[a] as number, inner[from + 1 + a] as number]
      state[at + 1 + a] = (state[at + 1 + a] as number) + ma + total * da
      for (let b = 0; b < dimension; b++) {
        const [db, mb] = [offset[b] as number, inner[from + 1 + b] as number]
        const second = 1 + dimension + a * dimension + b
        const moved = (inner[from + second] as number) + ma * db + da * mb + total * da * db
        state[at + second] = (state[at + second] as number) + moved
      }
    }
  }
  const setOffset = (x: Float64Array, from: number, { boxes, at }: BoxIn) => {
    for (let axis = 0; axis < dimension; axis++)
      offset[axis] = (x[from + axis] as number) - (boxes[at + axis] as number)
  }
  const single = new Float64Array(moments)
  const centre = new Float64Array(dimension)
  /** A lower triangle, row by row. Its product with its transpose gives the second moments about the centre. */
  const root = new Float64Array(dimension * dimension)

  /** Sets the centre and the root from the moments of a group. This is Cholesky's decomposition. */
  const spread = (state: Float64Array, from: number) => {
    const total = state[from] as number
    const share = total === 0 ? 0 : 1 / total
    for (let a = 0; a < dimension; a++) centre[a] = (state[from + 1 + a] as number) * share
    for (let a = 0; a < dimension; a++)
      for (let b = 0; b <= a; b++) {
        const second = (state[from + 1 + dimension + a * dimension + b] as number) * share
        const central = second - (centre[a] as number) * (centre[b] as number)
        let rest = central
        for (let c = 0; c < b; c++) rest -= (root[a * dimension + c] as number) * (root[b * dimension + c] as number)
        const length = root[b * dimension + b] as number
        // Rounding leaves a little more or less than nothing where all points are in a plane or on a line.
        if (a === b) root[a * dimension + a] = rest > simplexFlat * second ? Math.sqrt(rest) : 0
        else root[a * dimension + b] = length === 0 ? 0 : rest / length
      }
  }

  return {
    name: 'simplex',
    size: groups.length * simplex.length,
    stateSize: groups.length * moments,
    addPoints({ position, weight }, first, last, box, state, at) {
      for (let point = first; point < last; point++) {
        setOffset(position, point * dimension, box)
        for (const [g, group] of groups.entries()) {
          single[0] = weight[point * weights + group.weight] as number
          if (single[0] * group.sign > 0) addMoments(single, 0, state, at + g * moments)
        }
      }
    },
    addBox(inner, innerAt, box, state, at) {
      setOffset(inner.boxes, inner.at, box)
      for (let g = 0; g < groups.length; g++) addMoments(state, innerAt + g * moments, state, at + g * moments)
    },
    place({ boxes, at: boxAt }, state, at, proxies, first) {
      for (const [g, group] of groups.entries()) {
        const from = at + g * moments
        const total = state[from] as number
        spread(state, from)
        for (const [corner, along] of simplex.entries()) {
          const proxy = first + g * simplex.length + corner
          for (let axis = 0; axis < dimension; axis++) {
            let x = (boxes[boxAt + axis] as number) + (centre[axis] as number)
            for (let a = 0; a <= axis; a++) x += (along[a] as number) * (root[axis * dimension + a] as number)
            proxies.position[proxy * dimension + axis] = x
          }
          proxies.weight.fill(0, proxy * weights, (proxy + 1) * weights)
          proxies.weight[proxy * weights + group.weight] = total / simplex.length
        }
      }
    },
  }
}

/** The groups that weights of points need: one for each sign that occurs. */
export function groupsIn(weight: Float64Array, weights: number): readonly WeightGroup[] {
  return Array.from({ length: weights }, (_, w) => w).flatMap((w) =>
    ([1, -1] as const).flatMap((sign) => {
      for (let n = w; n < weight.length; n += weights)
        if ((weight[n] as number) * sign > 0) return [{ weight: w, sign }]
      return []
    }),
  )
}
