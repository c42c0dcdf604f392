/**
 * Ewald's sum of charges in a box, by the error function: an oracle that shares nothing with the mesh.
 *
 * @module
 */

/** The complementary error function, by its series and its continued fraction. */
function erfc(x: number): number {
  if (x < 2.5) {
    let [sum, term] = [x, x]
    for (let k = 1; k < 80; k++) {
      term *= (-x * x) / k
      sum += term / (2 * k + 1)
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum
  }
  let fraction = 0
  for (let k = 80; k > 0; k--) fraction = k / 2 / (x + fraction)
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction)
}

/** The potentials at charges, with a neutralising background and without their own 1/r, and the forces on them. */
export function ewald(
  position: ArrayLike<number>,
  charge: ArrayLike<number>,
  lengths: readonly number[],
): { readonly potential: Float64Array; readonly force: Float64Array } {
  const count = charge.length
  const [x, y, z] = lengths as [number, number, number]
  const volume = x * y * z
  const a = 5 / Math.min(x, y, z)
  const potential = new Float64Array(count)
  const force = new Float64Array(3 * count)
  let total = 0
  for (let j = 0; j < count; j++) total += charge[j] as number
  const images = lengths.map((length) => Math.ceil(7 / a / length + 1))
  const [nx, ny, nz] = images as [number, number, number]
  const highest = lengths.map((length) => Math.ceil((7 * a * length) / Math.PI))
  const [kx, ky, kz] = highest as [number, number, number]
  for (let i = 0; i < count; i++) {
    const own = charge[i] as number
    let phi = (-2 * a * own) / Math.sqrt(Math.PI) - (Math.PI * total) / (a * a * volume)
    const field = [0, 0, 0]
    for (let j = 0; j < count; j++) {
      const d = lengths.map((length, axis) => {
        const along = (position[3 * i + axis] as number) - (position[3 * j + axis] as number)
        return along - length * Math.round(along / length)
      })
      for (let p = -nx; p <= nx; p++)
        for (let q = -ny; q <= ny; q++)
          for (let s = -nz; s <= nz; s++) {
            const to = [p * x, q * y, s * z].map((shift, axis) => shift + (d[axis] as number))
            const r = Math.hypot(...to)
            if (r < 1e-12) continue
            const near = erfc(a * r) / r
            phi += (charge[j] as number) * near
            const slope = (near + (2 * a * Math.exp(-a * a * r * r)) / Math.sqrt(Math.PI)) / (r * r)
            for (let axis = 0; axis < 3; axis++)
              field[axis] = (field[axis] as number) + (charge[j] as number) * slope * (to[axis] as number)
          }
    }
    for (let p = -kx; p <= kx; p++)
      for (let q = -ky; q <= ky; q++)
        for (let s = -kz; s <= kz; s++) {
          const k = [p, q, s].map((n, axis) => (2 * Math.PI * n) / (lengths[axis] as number))
          const k2 = k.reduce((sum, one) => sum + one * one, 0)
          if (k2 === 0) continue
          const factor = ((4 * Math.PI) / volume / k2) * Math.exp(-k2 / (4 * a * a))
          if (factor < 1e-18) continue
          for (let j = 0; j < count; j++) {
            const angle = k.reduce(
              (sum, one, axis) => sum + one * ((position[3 * i + axis] as number) - (position[3 * j + axis] as number)),
              0,
            )
            phi += (charge[j] as number) * factor * Math.cos(angle)
            for (let axis = 0; axis < 3; axis++)
              field[axis] =
                (field[axis] as number) + (charge[j] as number) * factor * Math.sin(angle) * (k[axis] as number)
          }
        }
    potential[i] = own * phi
    for (let axis = 0; axis < 3; axis++) force[3 * i + axis] = own * (field[axis] as number)
  }
  return { potential, force }
}
