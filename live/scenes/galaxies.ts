/** Two disk galaxies on a parabolic orbit: the tide pulls out arms and a bridge. After A. and J. Toomre, ApJ 178 (1972) 623. */

import { leapfrog } from 'manybody'
import { randomFrom } from '../../examples/support/random.ts'
import type { Scene } from './scene.ts'

const softening = 0.12
/** Mass of the centre and of the disk, and the radius of the disk. */
const galaxies = [
  { centre: 0.8, disk: 0.2, radius: 1.9, share: 0.62, tilt: 0.35, turn: 0.4 },
  { centre: 0.42, disk: 0.1, radius: 1.2, share: 0.38, tilt: -0.9, turn: 2.1 },
] as const
const apart = 4.6
const nearest = 1.1

export const galaxiesScene: Scene = {
  name: 'galaxies',
  title: 'Galaxy collision',
  about: 'Two disks of stars pass each other. The tide draws arms and a bridge out of them, and then they merge.',
  law: {
    kind: 'potential',
    expressions: { energy: '-G*mass_i*mass_j/sqrt(r2 + softening^2)' },
    parameters: {
      G: { value: 1, least: 0.1, most: 3 },
      softening: { value: softening, least: 0.03, most: 0.5 },
    },
    inertia: 'mass',
  },
  others: {
    Newton: { energy: '-G*mass_i*mass_j/sqrt(r2 + softening^2)' },
    'Steeper, 1/r^3': { energy: '-G*mass_i*mass_j/(r2 + softening^2)/2' },
    'Flatter, 1/r': { energy: 'G*mass_i*mass_j*log(r2 + softening^2)/2' },
    'Screened (Yukawa)': { energy: '-G*mass_i*mass_j*exp(-r/2)/sqrt(r2 + softening^2)' },
  },
  dt: 0.015,
  integrator: leapfrog,
  steps: 2,
  work: 'pairs',
  count: { first: 2000, most: 65_536 },
  points,
  forces: (law) => [law],
  conserves: ['energy', 'momentum'],
  look: 'glow',
  radius: () => 3.1,
  size: 0.035,
  fast: () => 1.5,
  tilt: 0.95,
}

function points(count: number, seed: number) {
  const random = randomFrom(seed)
  const [position, velocity, mass] = [new Float32Array(3 * count), new Float32Array(3 * count), new Float32Array(count)]
  const total = galaxies.reduce((sum, { centre, disk }) => sum + centre + disk, 0)
  const first = Math.round(count * galaxies[0].share)
  // A parabola that passes at the distance `nearest`.
  const speed = Math.sqrt((2 * total) / apart)
  const across = Math.sqrt(2 * total * nearest) / apart
  const along = Math.sqrt(speed * speed - across * across)
  for (let n = 0; n < count; n++) {
    const [galaxy, number, stars] = n < first ? [0 as const, n, first] : [1 as const, n - first, count - first]
    const { centre, disk, radius, tilt, turn } = galaxies[galaxy]
    const own = centre + disk
    const share = (galaxy === 0 ? -1 : 1) * (1 - own / total)
    mass[n] = number === 0 ? centre : disk / (stars - 1)
    // Surface density falls outwards; there are no stars in the middle.
    const r = number === 0 ? 0 : radius * (0.03 + 0.97 * random() ** 0.75)
    const angle = 2 * Math.PI * random()
    const inside = disk * (r / radius) ** 1.25
    const v = Math.sqrt((centre * r * r) / (r * r + softening ** 2) ** 1.5 + inside / Math.max(r, softening))
    const at = turned([r * Math.cos(angle), r * Math.sin(angle), 0.03 * radius * (random() - 0.5)], tilt, turn)
    const moving = number === 0 ? [0, 0, 0] : turned([-v * Math.sin(angle), v * Math.cos(angle), 0], tilt, turn)
    const start = [share * apart, 0, 0]
    const drift = [-share * along, -share * across, 0]
    for (let axis = 0; axis < 3; axis++) {
      position[3 * n + axis] = (at[axis] ?? 0) + (start[axis] ?? 0)
      velocity[3 * n + axis] = (moving[axis] ?? 0) + (drift[axis] ?? 0)
    }
  }
  return { position, velocity, mass, dimension: 3 as const }
}

/** Turned about the x axis, then about the z axis. */
function turned([x, y, z]: readonly [number, number, number], tilt: number, turn: number): readonly number[] {
  const [up, over] = [y * Math.cos(tilt) - z * Math.sin(tilt), y * Math.sin(tilt) + z * Math.cos(tilt)]
  return [x * Math.cos(turn) - up * Math.sin(turn), x * Math.sin(turn) + up * Math.cos(turn), over]
}
