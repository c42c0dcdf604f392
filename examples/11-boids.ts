/**
 * A flock in the plane, after Reynolds: each boid turns to the heading and the middle of its neighbours, and away from those
 * too near. One run sums all seven numbers that a boid needs of its neighbours.
 *
 * @source C. W. Reynolds, Flocks, herds and schools, SIGGRAPH 1987
 */

import { createEngine, pairTerm, periodic, sum } from 'manybody'
import { randomFrom } from './support/random.ts'

// `npx tsx examples/11-boids.ts 1000 100` moves 1000 boids by 100 steps.
const [count = 20_000, steps = 200] = process.argv.slice(2).map(Number)
// About 12 neighbours within a distance of 2.
const box = Math.sqrt(count)
const seen = pairTerm(
  {
    neighbours: '1',
    headingX: 'ux_j',
    headingY: 'uy_j',
    middleX: 'dx',
    middleY: 'dy',
    awayX: 'select(r < near, -dx/r2, 0)',
    awayY: 'select(r < near, -dy/r2, 0)',
  },
  { name: 'what a boid sees', parameters: { near: 0.7 } },
)
const look = sum(seen(), { cutoff: 2, boundary: periodic([box, box]) })
const weights = { heading: 1, middle: 0.1, away: 0.3 }
const dt = 0.1

const random = randomFrom(11)
const position = Float32Array.from({ length: 2 * count }, () => box * random())
const angles = Float32Array.from({ length: count }, () => 2 * Math.PI * random())
const boids = { position, dimension: 2 as const, ux: angles.map(Math.cos), uy: angles.map(Math.sin) }

await using engine = await createEngine()
const first = await engine.run(look, boids)
console.log(
  `${count} boids see ${(first.value.reduce((sum, x, n) => sum + (n % 7 === 0 ? x : 0), 0) / count).toFixed(0)} others each`,
)
console.log(`at first, a boid and its neighbours agree by ${Math.abs(agreement(first.value)).toFixed(1)}`)
let { value } = first
for (let step = 0; step < steps; step++) {
  for (let i = 0; i < count; i++) move(i)
  ;({ value } = await engine.run(look, boids, { into: { value } }))
}
console.log(`after ${steps} steps, they agree by ${agreement(value).toFixed(1)}`)

/** Turns a boid, and moves it at speed 1. */
function move(i: number): void {
  const [n = 0, headingX = 0, headingY = 0, middleX = 0, middleY = 0, awayX = 0, awayY = 0] = value.subarray(7 * i)
  const all = Math.max(n, 1)
  const x =
    (boids.ux[i] ?? 0) + dt * ((weights.heading * headingX + weights.middle * middleX) / all + weights.away * awayX)
  const y =
    (boids.uy[i] ?? 0) + dt * ((weights.heading * headingY + weights.middle * middleY) / all + weights.away * awayY)
  const length = Math.hypot(x, y)
  boids.ux[i] = x / length
  boids.uy[i] = y / length
  position[2 * i] = (position[2 * i] ?? 0) + (dt * x) / length
  position[2 * i + 1] = (position[2 * i + 1] ?? 0) + (dt * y) / length
}

/** The mean cosine between the heading of a boid and the mean heading of its neighbours. */
function agreement(seenBy: Float32Array): number {
  const cosines = Array.from({ length: count }, (_, i) => {
    const [, x = 0, y = 0] = seenBy.subarray(7 * i)
    return ((boids.ux[i] ?? 0) * x + (boids.uy[i] ?? 0) * y) / (Math.hypot(x, y) || 1)
  })
  return cosines.reduce((sum, cosine) => sum + cosine / count, 0)
}
