/**
 * The force in a step as a polynomial through its values at the nodes of Gauss and Radau: by divided differences, which one value after
 * the other improves, and by powers, which are integrated.
 *
 * @source E. Everhart, Celest. Mech. 10 (1974) 35; the nodes: H. Rein and D. S. Spiegel, Mon. Not. R. Astron. Soc. 446 (2015) 1424
 * @module
 */

/** Fractions of a step where the force is evaluated. */
export const nodes: readonly number[] = [
  0, 0.05626256053692215, 0.18024069173689236, 0.3526247171131696, 0.5471536263305554, 0.7342101772154106,
  0.8853209468390958, 0.977520613561287,
]

/** How many coefficients a polynomial has beside the force at the start. */
export const degree = 7

/** The products `s (s - s1) ... (s - sn)` of a fraction s by its powers: entry `[n][m]` belongs to `s^(m + 1)`. */
const products: readonly (readonly number[])[] = productsOf(nodes.slice(1, degree))

function productsOf(roots: readonly number[]): readonly (readonly number[])[] {
  const found: number[][] = [[1]]
  for (const [n, root] of roots.entries()) {
    const before = found[n] as number[]
    found.push([...before, 0].map((_, m) => (before[m - 1] ?? 0) - root * (before[m] ?? 0)))
  }
  return found
}

/** A polynomial for each coordinate: `terms[m][k]` is the coefficient of `s^(m + 1)` for coordinate k. */
export type Series = readonly Float64Array[]

export const noTerms = (length: number): Series => Array.from({ length: degree }, () => new Float64Array(length))

/** The divided differences of polynomials. */
export function differencesOf(terms: Series, into: Series): void {
  for (let n = degree - 1; n >= 0; n--) {
    const [own, difference] = [terms[n] as Float64Array, into[n] as Float64Array]
    difference.set(own)
    for (let higher = n + 1; higher < degree; higher++) {
      const share = (products[higher] as readonly number[])[n] as number
      const above = into[higher] as Float64Array
      for (let k = 0; k < own.length; k++) difference[k] = (difference[k] as number) - share * (above[k] as number)
    }
  }
}

/** Polynomials with their divided differences, and the rounding errors of their terms. */
export interface Course {
  readonly terms: Series
  readonly differences: Series
  readonly lost: Series
}

/**
 * Takes the force at a node. @param changes by how much the force differs from that at the start
 * @returns the largest change of a difference
 */
export function improve({ terms, differences, lost }: Course, node: number, changes: Float64Array): number {
  const place = node - 1
  const own = differences[place] as Float64Array
  const shares = products[place] as readonly number[]
  const at = nodes[node] as number
  let most = 0
  for (let k = 0; k < own.length; k++) {
    let next = (changes[k] as number) / at
    for (let n = 0; n < place; n++)
      next = (next - ((differences[n] as Float64Array)[k] as number)) / (at - (nodes[n + 1] as number))
    const gained = next - (own[k] as number)
    own[k] = next
    for (let m = 0; m <= place; m++)
      addTo(terms[m] as Float64Array, lost[m] as Float64Array, k, gained * (shares[m] as number))
    most = Math.max(most, Math.abs(gained))
  }
  return most
}

/** Adds a number to a sum that keeps its rounding error (Kahan). */
export function addTo(sum: Float64Array, lost: Float64Array, k: number, x: number): void {
  const before = sum[k] as number
  const exact = x - (lost[k] as number)
  const after = before + exact
  lost[k] = after - before - exact
  sum[k] = after
}

/** The binomial coefficients that move a polynomial to another origin: entry `[m][n]` is `(n + 1 over m + 1)`. */
const binomials: readonly (readonly number[])[] = Array.from({ length: degree }, (_, m) =>
  Array.from({ length: degree }, (_, n) => {
    let value = 1
    for (let i = 0; i <= m; i++) value = (value * (n + 1 - i)) / (i + 1)
    return Math.round(value)
  }),
)

/** The polynomials of the step before, as they go on in a step that is `ratio` times as long. */
export function continued(terms: Series, ratio: number, into: Series): void {
  for (let m = 0; m < degree; m++) {
    const next = into[m] as Float64Array
    const scale = ratio ** (m + 1)
    for (let k = 0; k < next.length; k++) {
      let sum = 0
      for (let n = degree - 1; n >= m; n--)
        sum += ((binomials[m] as readonly number[])[n] as number) * ((terms[n] as Float64Array)[k] as number)
      next[k] = scale * sum
    }
  }
}
