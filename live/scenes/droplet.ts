/** Two droplets of a Lennard-Jones liquid meet and merge. Units: sigma = epsilon = mass = 1. */

import { leapfrog } from 'manybody'
import { randomFrom } from '../../examples/support/random.ts'
import type { Scene } from './scene.ts'

/** Distance between neighbours in the lattice. The droplets melt from it. */
const spacing = 1.1
const cutoff = 2.5

export const dropletScene: Scene = {
  name: 'droplet',
  title: 'Lennard-Jones droplet',
  about: 'Two droplets touch, and surface tension pulls them into one. Forces end smoothly at a distance of 2.5.',
  law: {
    kind: 'potential',
    expressions: { energy: '4*epsilon*(q^2 - q); q = (sigma/r)^6' },
    parameters: {
      epsilon: { value: 1, least: 0.2, most: 2 },
      sigma: { value: 1, least: 0.8, most: 1.1 },
    },
    inertia: 'mass',
  },
  others: {
    'Lennard-Jones': { energy: '4*epsilon*(q^2 - q); q = (sigma/r)^6' },
    Morse: { energy: 'epsilon*(1 - exp(-6*(r/sigma - 1.12)))^2' },
    'Repulsion only': { energy: 'epsilon*(sigma/r)^12' },
  },
  dt: 0.005,
  integrator: leapfrog,
  steps: 6,
  work: 'near',
  count: { first: 1400, most: 32_768 },
  points(count, seed) {
    const random = randomFrom(seed)
    const half = Math.ceil(count / 2)
    const ball = lattice(half)
    const offset = radiusOf(half) + 0.9
    const position = new Float32Array(3 * count)
    const velocity = new Float32Array(3 * count)
    for (let n = 0; n < count; n++) {
      const side = n < half ? -1 : 1
      const [x = 0, y = 0, z = 0] = ball[n % half] ?? []
      position.set([side * (x + offset), side * (y + 0.25 * offset), z], 3 * n)
      const heat = () => 1.9 * (random() - 0.5)
      velocity.set([heat() - side * 0.8, heat(), heat()], 3 * n)
    }
    return { position, velocity, mass: new Float32Array(count).fill(1), dimension: 3 }
  },
  forces: (law) => [{ law, cutoff, switchDistance: 2 }],
  conserves: ['energy', 'momentum'],
  look: 'ball',
  radius: (count) => 2.2 * radiusOf(count / 2) + 1,
  size: 0.5,
  fast: () => 3,
  tilt: 1.35,
}

const radiusOf = (count: number) => spacing * Math.cbrt((3 * count) / (4 * Math.PI * Math.SQRT2))

/** The sites of a face-centred cubic lattice next to its centre. */
function lattice(count: number): readonly (readonly number[])[] {
  const edge = spacing * Math.SQRT2
  const reach = Math.ceil(radiusOf(count) / edge) + 1
  const sites: number[][] = []
  for (let x = -2 * reach; x <= 2 * reach; x++)
    for (let y = -2 * reach; y <= 2 * reach; y++)
      for (let z = -2 * reach; z <= 2 * reach; z++)
        if ((x + y + z) % 2 === 0) sites.push([(x * edge) / 2, (y * edge) / 2, (z * edge) / 2])
  return sites.sort((a, b) => Math.hypot(...a) - Math.hypot(...b)).slice(0, count)
}
