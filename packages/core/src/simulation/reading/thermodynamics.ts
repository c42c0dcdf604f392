/**
 * Temperature, pressure and drift from the sums of a simulation.
 *
 * @module
 */
import { type FloatArray, onlyNamed, positive } from '../../checks.ts'
import type { ForceParts } from '../forces/force.ts'

export interface TemperatureOptions {
  /** Boltzmann's constant in the units of the simulation; 1 by default. */
  readonly boltzmann?: number
  /** The degrees of freedom; by default, `dimension` for each point that is not fixed. */
  readonly degrees?: number
}

export interface PressureOptions {
  /** The volume (in 2-D, the area); by default, that of the periodic box of the forces. */
  readonly volume?: number
}

/** `2 K / (degrees boltzmann)` */
export function temperatureOf(kinetic: number, free: number, options: TemperatureOptions): number {
  const known = ['boltzmann', 'degrees']
  const { boltzmann = 1, degrees = free } = onlyNamed(options, 'option of temperature', known)
  positive(boltzmann, 'boltzmann')
  if (free === 0 && options.degrees === undefined) return 0
  return (2 * kinetic) / (positive(degrees, 'degrees') * boltzmann)
}

/** The volume in which the pressure acts. @throws TypeError if there is none, or no single one */
export function volumeOf({ pairs }: ForceParts, options: PressureOptions): number {
  const { volume } = onlyNamed(options, 'option of pressure', ['volume'])
  if (volume !== undefined) return positive(volume, 'volume')
  const boxes = pairs.flatMap(({ domain: { boundary } }) => (boundary?.kind === 'periodic' ? [boundary.lengths] : []))
  const [first, ...others] = [...new Set(boxes.map((lengths) => lengths.reduce((product, l) => product * l, 1)))]
  if (first !== undefined && others.length === 0) return first
  throw new TypeError(
    `"volume" expected a number, because the forces have ${first === undefined ? 'no periodic box' : 'boxes of different volumes'}, got nothing`,
  )
}

/** Velocities without those of the centre of mass of the points that are not fixed. */
export function withoutDrift(
  {
    velocity,
    mass,
    dimension,
  }: { readonly velocity: FloatArray; readonly mass: FloatArray; readonly dimension: number },
  fixed: readonly number[],
): FloatArray {
  const still = new Set(fixed)
  const drift = new Float64Array(dimension)
  let total = 0
  for (const [point, m] of mass.entries()) {
    if (still.has(point)) continue
    total += m
    for (const axis of drift.keys())
      drift[axis] = (drift[axis] as number) + m * (velocity[point * dimension + axis] as number)
  }
  if (total === 0) return velocity
  return velocity.map((v, n) =>
    still.has(Math.floor(n / dimension)) ? v : v - (drift[n % dimension] as number) / total,
  )
}
