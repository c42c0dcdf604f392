/**
 * The conserved quantities of a closed system, summed in float64: kinetic energy (a part of the total), momentum, angular
 * momentum.
 *
 * @module
 */
import type { FloatArray } from '../../checks.ts'

/** What moves: velocities `[count, dimension]`, masses `[count]`. */
export type Vectors = { readonly velocity: FloatArray; readonly mass: FloatArray; readonly dimension: number }

const at = (array: FloatArray, index: number): number => array[index] as number

/** `sum m v^2 / 2` */
export function kineticEnergy({ velocity, mass, dimension }: Vectors): number {
  let total = 0
  for (const [n, v] of velocity.entries()) total += 0.5 * at(mass, Math.floor(n / dimension)) * v * v
  return total
}

/** `sum m v`, one number per axis. */
export function momentum({ velocity, mass, dimension }: Vectors): Float64Array {
  const total = new Float64Array(dimension)
  for (const [n, v] of velocity.entries()) {
    const axis = n % dimension
    total[axis] = at(total, axis) + at(mass, Math.floor(n / dimension)) * v
  }
  return total
}

/** `sum m x cross v` about the origin: three numbers in 3-D, in 2-D the one along the missing axis. */
export function angularMomentum({
  velocity,
  mass,
  dimension,
  position,
}: Vectors & { readonly position: FloatArray }): Float64Array {
  const planes =
    dimension === 2
      ? [[0, 1]]
      : [
          [1, 2],
          [2, 0],
          [0, 1],
        ]
  return Float64Array.from(planes, ([a = 0, b = 1]) => {
    let total = 0
    for (let p = 0; p < mass.length; p++) {
      const start = p * dimension
      const turn = at(position, start + a) * at(velocity, start + b) - at(position, start + b) * at(velocity, start + a)
      total += at(mass, p) * turn
    }
    return total
  })
}
