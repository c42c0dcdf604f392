/** A star cluster moves for one unit of time. The leapfrog conserves its energy, and a snapshot continues where it stopped. */

import { createEngine, gravity, leapfrog } from 'manybody'
import { plummerSphere } from 'manybody/initial'

await using engine = await createEngine()

const law = gravity({ softening: 0.05 })
const particles = plummerSphere({ count: 256, seed: 7 })
const simulation = await engine.simulate({ law, particles, integrator: leapfrog, dt: 0.01 })

const before = await simulation.energy()
await simulation.step(50)
const snapshot = await simulation.snapshot()
await simulation.step(50)
const after = await simulation.energy()

const virialRatio = (2 * before.kinetic) / -before.potential
console.log(`start: energy ${before.total.toFixed(3)}, twice kinetic over potential ${virialRatio.toFixed(2)}`)
console.log(`time ${simulation.time.toFixed(2)}: energy ${after.total.toFixed(3)}`)
console.log(`energy kept to one part in a thousand: ${Math.abs(after.total / before.total - 1) < 1e-3}`)

const resumed = await engine.resume(snapshot)
await resumed.step(50)
const [one, other] = [await simulation.read('position'), await resumed.read('position')]
console.log(`resumed from step ${snapshot.steps}, every bit the same: ${one.every((x, n) => x === other[n])}`)
