/**
 * A flock in the plane, after Reynolds: each boid turns to the heading and the middle of its neighbours, and away from any that are too
 * near. All steps run on the device.
 *
 * @source C. W. Reynolds, Flocks, herds and schools, SIGGRAPH 1987
 */

import { countWithin, createEngine, externalForce, pairForce, periodic, rungeKutta4, weightedMean } from 'manybody'
import { randomFrom } from './support/random.ts'

// `npx tsx examples/11-boids.ts 1000 100` moves 1000 boids by 100 steps.
const [count = 20_000, steps = 200] = process.argv.slice(2).map(Number)
// About 12 neighbours lie within a distance of 2.
const sight = 2
const box = Math.sqrt(count)
const boundary = periodic([box, box])

// The repulsion has a limit, because the nearest of 20,000 random places are 0.005 apart.
const along = (axis: string) =>
  `heading*(velocity_${axis}_j - velocity_${axis}_i) + middle*d${axis} - select(r < near, away*d${axis}/(r2 + 0.01), 0)`
const flocking = pairForce(
  { x: along('x'), y: along('y') },
  {
    name: 'flocking',
    inertia: 'mass',
    parameters: { heading: 0.1, middle: 0.01, away: 0.3, near: 0.7 },
  },
)
// Every boid returns to a speed of 1.
const speed2 = 'velocity_x^2 + velocity_y^2'
const pace = externalForce(['x', 'y'].map((axis) => `mass*(1 - (${speed2}))*velocity_${axis}`))

const random = randomFrom(11)
const position = Float32Array.from({ length: 2 * count }, () => box * random())
const angles = Float32Array.from({ length: count }, () => 2 * Math.PI * random())
const velocity = Float32Array.from({ length: 2 * count }, (_, n) => {
  const angle = angles[Math.floor(n / 2)] ?? 0
  return n % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
})

await using engine = await createEngine()
const { count: seen } = await engine.run(countWithin(sight, { boundary }), { position, dimension: 2 })
console.log(`${count} boids see ${(seen.reduce((a, b) => a + b, 0) / count).toFixed(0)} others each`)
await using flock = await engine.simulate({
  forces: [{ law: flocking(), cutoff: sight, boundary }, pace()],
  particles: { position, velocity, mass: new Float32Array(count).fill(1), dimension: 2 },
  integrator: rungeKutta4,
  dt: 0.1,
})
console.log(`at first, a boid and its neighbours agree by ${Math.abs(await agreement()).toFixed(1)}`)
await flock.step(steps)
console.log(`after ${steps} steps, they agree by ${(await agreement()).toFixed(1)}`)

/** The mean cosine between the heading of a boid and the mean heading of its neighbours. */
async function agreement(): Promise<number> {
  const [now, vx, vy] = await Promise.all(['position', 'velocity_x', 'velocity_y'].map((name) => flock.read(name)))
  if (!now || !vx || !vy) throw new Error('a flock has positions and velocities')
  const value = { x: 'vx_j', y: 'vy_j' }
  const points = { position: now, vx, vy, dimension: 2 as const }
  const { value: mean } = await weightedMean(engine, { score: '0*r2', value, cutoff: sight, boundary }, points)
  const cosines = vx.map((x, i) => {
    const [y = 0, meanX = 0, meanY = 0] = [vy[i], mean[2 * i], mean[2 * i + 1]]
    return (x * meanX + y * meanY) / (Math.hypot(x, y) * Math.hypot(meanX, meanY) || 1)
  })
  return cosines.reduce((sum, cosine) => sum + cosine / count, 0)
}
