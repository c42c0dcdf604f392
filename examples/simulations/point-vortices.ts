/**
 * Point vortices of one sign on a ring and in its middle: a ring of six turns steadily, and of two rings the inner one overtakes.
 *
 * @source H. Aref, Point vortex dynamics: a classical mathematics playground, Journal of Mathematical Physics 48 (2007) 065401
 */

import { createEngine, firstOrderRungeKutta4, pairTerm } from 'manybody'

const vortices = pairTerm({ x: 'strength_j*dy/(2*pi*r2)', y: '-strength_j*dx/(2*pi*r2)' })
const ring = (radius: number, phase: number) =>
  Array.from({ length: 6 }, (_, n) => {
    const angle = (n * Math.PI) / 3 + phase
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  }).flat()

await using engine = await createEngine({ precision: 'f64' })

// One ring of N turns with the angular velocity strength*(N - 1)/(4 pi radius^2).
const period = (8 * Math.PI ** 2) / 5
await using one = await engine.simulate({
  forces: [vortices()],
  particles: { position: ring(1, 0), strength: Array<number>(6).fill(1), dimension: 2 },
  integrator: firstOrderRungeKutta4,
  dt: period / 400,
})
await one.step(400)
const [x = 0, y = 0] = await one.read('position')
console.log(`after one turn a vortex is back but for ${Math.hypot(x - 1, y).toExponential(0)}`)

await using two = await engine.simulate({
  forces: [vortices()],
  particles: { position: [...ring(1, 0), ...ring(2, 0.5)], strength: Array<number>(12).fill(1), dimension: 2 },
  integrator: firstOrderRungeKutta4,
  dt: 0.01,
})
const impulse = { impulse: 'strength*(position_x^2 + position_y^2)' }
const before = await two.total(impulse)
const turned: number[] = []
for await (const { position } of two.frames({ every: 25 })) {
  turned.push(Math.atan2(position[1] ?? 0, position[0] ?? 0) - Math.atan2(position[13] ?? 0, position[12] ?? 0))
  if (two.steps >= 200) break
}
const ahead = turned.every((angle, n) => n === 0 || Math.sin(angle - (turned[n - 1] ?? 0)) > 0)
console.log(`the inner ring overtakes the outer one: ${ahead}`)
const after = await two.total(impulse)
console.log(`angular impulse kept: ${Math.abs(after.impulse / before.impulse - 1) < 1e-9}`)
