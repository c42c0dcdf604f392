/**
 * Temperature, pressure and drift from the sums of a simulation.
 *
 * @module
 */
import { type FloatArray, onlyNamed, positive } from '../../ground/checks.ts'
import { type Boundary, sidesOf } from '../../problem/workloads/domain.ts'

export interface TemperatureOptions {
  /** Boltzmann's constant in the units of the simulation; 1 by default. */
  readonly boltzmann?: number
  /** The degrees of freedom; by default, `dimension` for each point that is not fixed, less one for each constraint. */
  readonly degrees?: number
}

export interface PressureOptions {
  /** The volume (in 2-D, the area; in 1-D, the length); by default, the volume of the periodic box of the forces. */
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

/** The volume of a box, or its area: infinite if it has an open axis. */
export const contentOf = (box: Boundary): number => sidesOf(box).reduce((product, length) => product * length, 1)

/** The volume for the pressure. @param boundary that of the forces now @throws TypeError if there is none */
export function volumeOf(boundary: Boundary, options: PressureOptions): number {
  const { volume } = onlyNamed(options, 'option of pressure', ['volume'])
  if (volume !== undefined) return positive(volume, 'volume')
  const content = boundary.kind === 'open' ? undefined : contentOf(boundary)
  if (content === Number.POSITIVE_INFINITY)
    throw new TypeError('"volume" expected a number, because the box has an axis that does not repeat, got nothing')
  if (content !== undefined) return content
  throw new TypeError('"volume" expected a number, because the forces have no periodic box, got nothing')
}

/** Velocities relative to the centre of mass of the points that are not fixed. */
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
