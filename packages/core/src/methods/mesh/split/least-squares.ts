/**
 * Linear least squares by Householder's reflections.
 *
 * @module
 */

/** The coefficients with the least squared distance of `rows` times them from `right`. Overwrites both. */
export function leastSquares(rows: readonly Float64Array[], right: Float64Array): Float64Array {
  const columns = rows[0]?.length ?? 0
  const at = (i: number, j: number) => rows[i]?.[j] as number
  for (let k = 0; k < columns; k++) {
    let squares = 0
    for (let i = k; i < rows.length; i++) squares += at(i, k) ** 2
    const size = Math.sqrt(squares)
    if (size === 0) continue
    const pivot = at(k, k) > 0 ? -size : size
    const mirror = rows.map((_, i) => (i < k ? 0 : at(i, k) - (i === k ? pivot : 0)))
    const scale = 2 / mirror.reduce((sum, v) => sum + v * v, 0)
    for (let j = k; j <= columns; j++) {
      let dot = 0
      for (let i = k; i < rows.length; i++)
        dot += (mirror[i] as number) * (j < columns ? at(i, j) : (right[i] as number))
      for (let i = k; i < rows.length; i++) {
        const less = scale * dot * (mirror[i] as number)
        if (j < columns) (rows[i] as Float64Array)[j] = at(i, j) - less
        else right[i] = (right[i] as number) - less
      }
    }
  }
  const found = new Float64Array(columns)
  for (let k = columns - 1; k >= 0; k--) {
    let rest = right[k] as number
    for (let j = k + 1; j < columns; j++) rest -= at(k, j) * (found[j] as number)
    found[k] = at(k, k) === 0 ? 0 : rest / at(k, k)
  }
  return found
}
