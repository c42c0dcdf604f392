/** A flock in the plane, after Reynolds: each boid turns to its neighbours' heading, towards them, and away from any that are too near. */

import { externalForce, leapfrog, periodic } from 'manybody'
import { randomFrom } from '../../examples/support/random.ts'
import type { Scene } from './scene.ts'

/** Keeps the speed near 1. */
const cruise = externalForce('drive*velocity*(1 - velocity_x^2 - velocity_y^2)', {
  name: 'cruise',
  parameters: { drive: 2 },
  inertia: 'mass',
})
const boxOf = (count: number) => Math.sqrt(count / 2)

export const boidsScene: Scene = {
  name: 'boids',
  title: 'Boids',
  about: 'Each boid sees its neighbours within a distance of 2. The law reads the velocities of both.',
  law: {
    kind: 'force',
    expressions: {
      x: 'align*(velocity_x_j - velocity_x_i) + dx*turn; turn = gather - avoid*max(0, 1 - r)/(r + 0.05)',
      y: 'align*(velocity_y_j - velocity_y_i) + dy*turn; turn = gather - avoid*max(0, 1 - r)/(r + 0.05)',
    },
    parameters: {
      align: { value: 0.12, least: 0, most: 0.5 },
      gather: { value: 0.02, least: -0.05, most: 0.1 },
      avoid: { value: 0.7, least: 0, most: 2 },
    },
    inertia: 'mass',
  },
  others: {},
  dt: 0.05,
  integrator: leapfrog,
  steps: 2,
  work: 'near',
  count: { first: 2000, most: 12_000 },
  points(count, seed) {
    const random = randomFrom(seed)
    const box = boxOf(count)
    const position = Float32Array.from({ length: 2 * count }, () => box * (random() - 0.5))
    const velocity = new Float32Array(2 * count)
    for (let n = 0; n < count; n++) {
      const angle = 2 * Math.PI * random()
      velocity.set([Math.cos(angle), Math.sin(angle)], 2 * n)
    }
    return { position, velocity, mass: new Float32Array(count).fill(1), dimension: 2 }
  },
  forces: (law, count) => [{ law, cutoff: 2, boundary: periodic([boxOf(count), boxOf(count)]) }, cruise()],
  box: boxOf,
  conserves: [],
  look: 'dart',
  radius: (count) => 0.52 * boxOf(count),
  size: 0.34,
  fast: () => 1.6,
  tilt: 0,
}
