/**
 * The principal axes of a symmetric matrix of second moments, by Jacobi's rotations.
 *
 * @module
 */

/** Sweeps until nothing is left to rotate: each squares the remaining error, and three axes need about five. */
const sweeps = 8

/** Principal axes, each as long as the standard deviation along it. The matrix is overwritten. */
export function principalAxes(matrix: Float64Array[]): Float64Array[] {
  const dimension = matrix.length
  const axes = matrix.map((_, k) => Float64Array.from({ length: dimension }, (_, m) => (k === m ? 1 : 0)))
  for (let sweep = 0; sweep < sweeps; sweep++)
    for (let p = 0; p < dimension; p++)
      for (let q = p + 1; q < dimension; q++) {
        const off = matrix[p]?.[q] as number
        if (off === 0) continue
        const ratio = ((matrix[q]?.[q] as number) - (matrix[p]?.[p] as number)) / (2 * off)
        const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.hypot(ratio, 1))
        const cosine = 1 / Math.hypot(tangent, 1)
        const sine = tangent * cosine
        for (const row of matrix) rotate(row, p, q, cosine, sine)
        rotateRows(matrix, p, q, cosine, sine)
        rotateRows(axes, p, q, cosine, sine)
      }
  for (const [k, axis] of axes.entries()) {
    // Rounding may leave less than nothing of an axis along which all points are at one place.
    const length = Math.sqrt(Math.max(0, matrix[k]?.[k] as number))
    for (const [m, x] of axis.entries()) axis[m] = length * x
  }
  return axes
}

function rotate(row: Float64Array, p: number, q: number, cosine: number, sine: number): void {
  const [a, b] = [row[p] as number, row[q] as number]
  row[p] = cosine * a - sine * b
  row[q] = sine * a + cosine * b
}

function rotateRows(rows: readonly Float64Array[], p: number, q: number, cosine: number, sine: number): void {
  const [a, b] = [rows[p] as Float64Array, rows[q] as Float64Array]
  for (const [n, x] of a.entries()) {
    const y = b[n] as number
    a[n] = cosine * x - sine * y
    b[n] = sine * x + cosine * y
  }
}
