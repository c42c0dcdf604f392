/**
 * Two disk galaxies on a parabolic orbit: the tide pulls out arms and a bridge. After A. and J. Toomre, ApJ 178 (1972) 623. The scene
 * begins when the first arm has left its disk. Up to then stars only feel the two galaxies, as in that paper.
 */

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
/** The time that has passed since the galaxies were `apart` when the scene begins, and the steps of that time. */
const approach = { time: 4.8, steps: 160 }

type Galaxy = (typeof galaxies)[number]
type Vector = [number, number, number]
interface Body {
  readonly at: Vector
  readonly moves: Vector
}
/** One body for each galaxy. */
type Centres = readonly [Body, Body]

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
  const path = approaching()
  const first = Math.round(count * galaxies[0].share)
  for (let n = 0; n < count; n++) {
    const [galaxy, number, stars] = n < first ? [0 as const, n, first] : [1 as const, n - first, count - first]
    const { centre, disk, radius, tilt, turn } = galaxies[galaxy]
    mass[n] = number === 0 ? centre : disk / (stars - 1)
    // Surface density falls outwards; there are no stars in the middle.
    const r = number === 0 ? 0 : radius * (0.03 + 0.97 * random() ** 0.75)
    const angle = 2 * Math.PI * random()
    const v = r * Math.sqrt(pullOf(galaxies[galaxy], r * r))
    const at = turned([r * Math.cos(angle), r * Math.sin(angle), 0.03 * radius * (random() - 0.5)], tilt, turn)
    const moving = turned([-v * Math.sin(angle), v * Math.cos(angle), 0], tilt, turn)
    const body = number === 0 ? bodyAt(path[0][galaxy]) : bodyAt(path[0][galaxy], at, moving)
    for (let step = 0; step < approach.steps; step++) advance(body, path[step] ?? path[0], path[step + 1] ?? path[0])
    position.set(body.at, 3 * n)
    velocity.set(body.moves, 3 * n)
  }
  return { position, velocity, mass, dimension: 3 as const }
}

/** The pull of a galaxy at a distance, per unit of length: its softened centre, and the part of its disk within that distance. */
function pullOf({ centre, disk, radius }: Galaxy, r2: number): number {
  const share = Math.min(1, Math.sqrt(r2) / radius)
  const softened = r2 + softening * softening
  return (centre + disk * share * Math.sqrt(Math.sqrt(share))) / (softened * Math.sqrt(softened))
}
/** Both centres at each step of the approach, on a parabola that passes at the distance `nearest`. */
function approaching(): readonly [Centres, ...Centres[]] {
  const [a, b] = galaxies.map(({ centre, disk }) => centre + disk) as [number, number]
  const speed = Math.sqrt((2 * (a + b)) / apart)
  const across = Math.sqrt(2 * (a + b) * nearest) / apart
  const along = Math.sqrt(speed * speed - across * across)
  const part = (share: number): Body => ({ at: [share * apart, 0, 0], moves: [-share * along, -share * across, 0] })
  const path: [Centres, ...Centres[]] = [[part(-b / (a + b)), part(a / (a + b))]]
  for (let [from] = path; path.length <= approach.steps; ) {
    const [first, second] = [bodyAt(from[0]), bodyAt(from[1])]
    for (const body of [first, second]) kick(body, from)
    for (const body of [first, second]) drift(body)
    const to: Centres = [first, second]
    for (const body of to) kick(body, to)
    path.push(to)
    from = to
  }
  return path
}

/** A body near a centre. */
const bodyAt = ({ at, moves }: Body, off: Vector = [0, 0, 0], turns: Vector = [0, 0, 0]): Body => ({
  at: [at[0] + off[0], at[1] + off[1], at[2] + off[2]],
  moves: [moves[0] + turns[0], moves[1] + turns[1], moves[2] + turns[2]],
})

/** One step of a body that only feels the galaxies, by leapfrog. */
function advance(body: Body, from: Centres, to: Centres): void {
  kick(body, from)
  drift(body)
  kick(body, to)
}

function drift({ at, moves }: Body): void {
  const step = approach.time / approach.steps
  for (let axis = 0; axis < 3; axis++) at[axis as 0] += step * moves[axis as 0]
}

/** Half a step's change of velocity. */
function kick({ at, moves }: Body, centres: Centres): void {
  const half = approach.time / approach.steps / 2
  for (let g = 0; g < 2; g++) {
    const centre = centres[g as 0].at
    const [dx, dy, dz] = [centre[0] - at[0], centre[1] - at[1], centre[2] - at[2]]
    const pull = half * pullOf(galaxies[g as 0], dx * dx + dy * dy + dz * dz)
    moves[0] += pull * dx
    moves[1] += pull * dy
    moves[2] += pull * dz
  }
}

/** Turned about the x axis, then about the z axis. */
function turned([x, y, z]: Vector, tilt: number, turn: number): Vector {
  const [up, over] = [y * Math.cos(tilt) - z * Math.sin(tilt), y * Math.sin(tilt) + z * Math.cos(tilt)]
  return [x * Math.cos(turn) - up * Math.sin(turn), x * Math.sin(turn) + up * Math.cos(turn), over]
}
