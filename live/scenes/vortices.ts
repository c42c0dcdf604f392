/** Point vortices in the plane: patches of like sign wind around each other and merge, and carry still water along. */

import { firstOrderRungeKutta4 } from 'manybody'
import { randomFrom } from '../../examples/support/random.ts'
import type { Scene } from './scene.ts'

export const vorticesScene: Scene = {
  name: 'vortices',
  title: 'Vortices',
  about: 'Each vortex moves with the flow of all others. Three patches merge and stir the water between them.',
  law: {
    kind: 'term',
    expressions: {
      x: 'strength_j*dy/(2*pi*(r2 + core^2))',
      y: '-strength_j*dx/(2*pi*(r2 + core^2))',
    },
    parameters: { core: { value: 0.12, least: 0.03, most: 0.5 } },
  },
  others: {},
  dt: 0.025,
  integrator: firstOrderRungeKutta4,
  steps: 1,
  work: 'pairs',
  count: { first: 1200, most: 32_768 },
  points(count, seed) {
    const random = randomFrom(seed)
    const position = new Float32Array(2 * count)
    const strength = new Float32Array(count)
    const vortices = Math.round(0.7 * count)
    for (let n = 0; n < count; n++) {
      const angle = 2 * Math.PI * random()
      const patch = (2 * Math.PI * (n % 3)) / 3
      const [r, middle] = n < vortices ? [0.75 * Math.sqrt(random()), 1.45] : [3 * Math.sqrt(random()), 0]
      position.set(
        [middle * Math.cos(patch) + r * Math.cos(angle), middle * Math.sin(patch) + r * Math.sin(angle)],
        2 * n,
      )
      strength[n] = n < vortices ? (3 * 2 * Math.PI) / vortices : 0
    }
    return { position, strength, dimension: 2 }
  },
  forces: (law) => [law],
  conserves: [],
  look: 'glow',
  radius: () => 2.8,
  size: 0.03,
  fast: () => 1.5,
  tilt: 0,
}
