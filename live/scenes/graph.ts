/** A tree with some shortcuts, laid out by forces: all points repel each other, edges are springs, and a pull keeps the middle. */

import { externalPotential, firstOrderRungeKutta4, pairPotential } from 'manybody'
import { randomFrom } from '../../examples/support/random.ts'
import type { Scene } from './scene.ts'

const spring = pairPotential('stiffness*(r - 1)^2/2', { name: 'spring', parameters: { stiffness: 4 } })
/** Without it, the repulsion of all others would carry the nodes ever further out. */
const pull = externalPotential('pull*(position_x^2 + position_y^2)/2', { name: 'pull', parameters: { pull: 0.3 } })

export const graphScene: Scene = {
  name: 'graph',
  title: 'Graph layout',
  about:
    'A random tree unfolds: all nodes repel each other, edges are springs, and a weak pull keeps them in the middle.',
  law: {
    kind: 'potential',
    expressions: { energy: '-strength*log(r2 + 0.01)/2' },
    parameters: { strength: { value: 0.3, least: 0.05, most: 2 } },
  },
  others: {
    'As charges in the plane': { energy: '-strength*log(r2 + 0.01)/2' },
    'Shorter reach': { energy: 'strength*exp(-r/4)/sqrt(r2 + 0.01)*6' },
  },
  dt: 0.03,
  integrator: firstOrderRungeKutta4,
  steps: 1,
  work: 'pairs',
  count: { first: 700, most: 4000 },
  points(count, seed) {
    const position = new Float32Array(2 * count)
    // Each node starts next to its parent, so that the tree unfolds.
    for (const [parent, node] of edges(count, seed)) {
      const angle = node * Math.PI * (3 - Math.sqrt(5))
      const [x = 0, y = 0] = position.subarray(2 * parent)
      position.set([x + 0.25 * Math.cos(angle), y + 0.25 * Math.sin(angle)], 2 * node)
    }
    return { position, dimension: 2 }
  },
  forces: (law, count, seed) => [law, { law: spring(), bonds: edges(count, seed) }, pull()],
  edges,
  conserves: [],
  look: 'ball',
  radius: (count) => 1.1 * Math.sqrt(count),
  size: 0.36,
  fast: () => 3,
  tilt: 0,
}

/** Each node joins an earlier one that has fewer than four edges, near the front of the tree. */
function edges(count: number, seed: number): readonly (readonly [number, number])[] {
  const random = randomFrom(seed)
  const degree = new Uint8Array(count)
  const joined: [number, number][] = []
  for (let n = 1; n < count; n++) {
    let parent = n - 1
    for (let tries = 0; tries < 20; tries++) {
      parent = Math.floor(n * (0.3 + 0.7 * random()) * random() ** 0.2)
      if (parent < n && (degree[parent] ?? 0) < 4) break
    }
    parent = Math.min(parent, n - 1)
    joined.push([parent, n])
    degree[parent] = (degree[parent] ?? 0) + 1
    degree[n] = (degree[n] ?? 0) + 1
  }
  return joined
}
