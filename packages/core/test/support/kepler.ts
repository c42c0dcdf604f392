/**
 * Two bodies on a Kepler orbit: the one problem with a motion that is known at all times.
 *
 * @module
 */
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Interaction } from '../../src/problem/interactions/interaction.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'

const eccentricity = 0.3
const period = 2 * Math.PI
const mass = Float64Array.of(0.75, 0.25)

/** Starts at the apocentre of an orbit with semi-major axis 1, total mass 1, G = 1, in the centre of mass frame. */
export function keplerOrbit(): {
  readonly law: Interaction
  readonly particles: SimulationOptions['particles'] & Readonly<Record<'position' | 'velocity', Float64Array>>
} {
  const distance = 1 + eccentricity
  const speed = Math.sqrt((1 - eccentricity) / (1 + eccentricity))
  const share = [-(mass[1] as number), mass[0] as number]
  return {
    law: gravity(),
    particles: {
      position: Float64Array.from(share.flatMap((s) => [s * distance, 0, 0])),
      velocity: Float64Array.from(share.flatMap((s) => [0, s * speed * 0.8, s * speed * 0.6])),
      mass,
    },
  }
}

/** Where both bodies are after some time, by solving Kepler's equation. */
export function keplerPosition(time: number): Float64Array {
  // The mean anomaly counts from the pericentre, half an orbit before the start.
  const mean = time + period / 2
  let anomaly = mean
  for (let n = 0; n < 50; n++)
    anomaly -= (anomaly - eccentricity * Math.sin(anomaly) - mean) / (1 - eccentricity * Math.cos(anomaly))
  const along = -(Math.cos(anomaly) - eccentricity)
  const across = -Math.sqrt(1 - eccentricity ** 2) * Math.sin(anomaly)
  const d = [along, across * 0.8, across * 0.6]
  return Float64Array.from([-(mass[1] as number), mass[0] as number].flatMap((s) => d.map((x) => s * x)))
}

/** The largest difference between two sets of numbers. */
export const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, x, n) => Math.max(most, Math.abs(x - (b[n] as number))), 0)
