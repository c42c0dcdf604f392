// Natural cubic splines by hand: their second derivatives by relaxation, where the library eliminates.

export type Spline = (x: number) => number

/** A natural cubic spline through values at equal steps, from the equations of its second derivatives; 0 beyond its ends. */
export function spline({ from, to, values }: { from: number; to: number; values: readonly number[] }): Spline {
  const last = values.length - 1
  const h = (to - from) / last
  const at = (n: number) => values[n] as number
  // Relaxation of the diagonally dominant equations m[n-1] + 4 m[n] + m[n+1] = 6 (second difference)/h^2.
  const m = new Float64Array(last + 1)
  for (let round = 0; round < 100; round++)
    for (let n = 1; n < last; n++)
      m[n] = ((6 * (at(n - 1) - 2 * at(n) + at(n + 1))) / h ** 2 - (m[n - 1] as number) - (m[n + 1] as number)) / 4
  return (x) => {
    if (x < from || x > to) return 0
    const n = Math.min(last - 1, Math.floor((x - from) / h))
    const [t, s] = [(x - from) / h - n, 1 - (x - from) / h + n]
    const bent = (h ** 2 / 6) * ((s ** 3 - s) * (m[n] as number) + (t ** 3 - t) * (m[n + 1] as number))
    return s * at(n) + t * at(n + 1) + bent
  }
}
