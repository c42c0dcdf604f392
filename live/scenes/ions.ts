/** Ions in a trap, cooled until they freeze in shells: a Coulomb crystal. Units: charge = mass = k = 1. */

import { externalPotential, langevin } from 'manybody'
import { randomFrom } from '../../examples/support/random.ts'
import type { Scene } from './scene.ts'

const trap = externalPotential('mass*(omega^2*(position_x^2 + position_y^2) + along^2*position_z^2)/2', {
  name: 'trap',
  parameters: { omega: 1, along: 0.6 },
})

export const ionsScene: Scene = {
  name: 'ions',
  title: 'Ions in a trap',
  about:
    'Equal charges repel each other, a trap holds them, and a Langevin thermostat cools them into a crystal of shells.',
  law: {
    kind: 'potential',
    expressions: { energy: 'k*charge_i*charge_j/r' },
    parameters: { k: { value: 1, least: 0.1, most: 4 } },
    inertia: 'mass',
  },
  others: {
    Coulomb: { energy: 'k*charge_i*charge_j/r' },
    'Screened (dusty plasma)': { energy: 'k*charge_i*charge_j*exp(-r)/r' },
    Softer: { energy: '-k*charge_i*charge_j*log(r)' },
  },
  dt: 0.04,
  integrator: langevin({ temperature: 0.004, friction: 0.4, seed: 5 }),
  steps: 2,
  work: 'pairs',
  count: { first: 1200, most: 32_768 },
  points(count, seed) {
    const random = randomFrom(seed)
    const radius = 1.1 * radiusOf(count)
    const position = new Float32Array(3 * count)
    for (let n = 0; n < count; n++) {
      const z = 2 * random() - 1
      const angle = 2 * Math.PI * random()
      const r = radius * Math.cbrt(random())
      const across = r * Math.sqrt(1 - z * z)
      position.set([across * Math.cos(angle), across * Math.sin(angle), 1.3 * r * z], 3 * n)
    }
    const ones = new Float32Array(count).fill(1)
    return { position, velocity: new Float32Array(3 * count), mass: ones, charge: ones, dimension: 3 }
  },
  forces: (law) => [law, trap()],
  conserves: [],
  look: 'ball',
  radius: (count) => 1.9 * radiusOf(count),
  size: 0.42,
  fast: (count) => 0.35 * radiusOf(count),
  tilt: 1.3,
}

/** The radius at which the repulsion of a ball of charge balances a round trap. */
const radiusOf = (count: number) => Math.cbrt(count)
