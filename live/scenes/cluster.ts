/** A star cluster that starts too cold: it collapses, and settles in a denser middle and a wide halo. */

import { leapfrog } from 'manybody'
import { plummerSphere } from 'manybody/initial'
import type { Scene } from './scene.ts'

export const clusterScene: Scene = {
  name: 'cluster',
  title: 'Star cluster',
  about: 'A sphere of stars, after Plummer, that turns and is too cold to hold itself up: it collapses, and bounces.',
  law: {
    kind: 'potential',
    expressions: { energy: '-G*mass_i*mass_j/sqrt(r2 + softening^2)' },
    parameters: {
      G: { value: 1, least: 0.1, most: 3 },
      softening: { value: 0.05, least: 0.01, most: 0.3 },
    },
    inertia: 'mass',
  },
  others: {
    Newton: { energy: '-G*mass_i*mass_j/sqrt(r2 + softening^2)' },
    'Each pair a spring': { energy: 'G*mass_i*mass_j*r2/8' },
    'Steeper, 1/r^3': { energy: '-G*mass_i*mass_j/(r2 + softening^2)/2' },
  },
  dt: 0.01,
  integrator: leapfrog,
  steps: 2,
  work: 'pairs',
  count: { first: 2000, most: 65_536 },
  points(count, seed) {
    const sphere = plummerSphere({ count, seed })
    const [position, velocity, mass] = [sphere.position, sphere.velocity, sphere.mass].map((numbers) =>
      Float32Array.from(numbers),
    ) as [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>]
    for (let n = 0; n < count; n++) {
      const [x = 0, y = 0] = position.subarray(3 * n)
      const r = Math.hypot(x, y)
      for (let axis = 0; axis < 3; axis++) velocity[3 * n + axis] = 0.45 * (velocity[3 * n + axis] ?? 0)
      // A slow turn about the z axis.
      velocity[3 * n] = (velocity[3 * n] ?? 0) - (0.35 * y) / (1 + r)
      velocity[3 * n + 1] = (velocity[3 * n + 1] ?? 0) + (0.35 * x) / (1 + r)
    }
    return { position, velocity, mass, dimension: 3 }
  },
  forces: (law) => [law],
  conserves: ['energy', 'momentum'],
  look: 'glow',
  radius: () => 2.6,
  size: 0.03,
  fast: () => 1.4,
  tilt: 1.1,
}
