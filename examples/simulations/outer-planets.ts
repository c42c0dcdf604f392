/**
 * The outer planets and Pluto around the sun: how well a long run keeps the energy.
 *
 * Units: astronomical units, days and masses of the sun, which has the inner planets in it.
 *
 * @source E. Hairer, C. Lubich and G. Wanner, Geometric Numerical Integration (2006) I.2.4: the places, speeds and masses
 */

import { createEngine, gravity, ias15 } from 'manybody'

// `npx tsx examples/simulations/outer-planets.ts 100000` takes about a minute.
const [years = 1000] = process.argv.slice(2).map(Number)
const bodies = [
  { mass: 1.00000597682, place: [0, 0, 0], speed: [0, 0, 0] },
  { mass: 9.54786104043e-4, place: [-3.5023653, -3.8169847, -1.5507963], speed: [5.65429e-3, -4.1249e-3, -1.90589e-3] },
  { mass: 2.85583733151e-4, place: [9.0755314, -3.0458353, -1.6483708], speed: [1.68318e-3, 4.83525e-3, 1.92462e-3] },
  { mass: 4.37273164546e-5, place: [8.310142, -16.2901086, -7.2521278], speed: [3.54178e-3, 1.37102e-3, 5.5029e-4] },
  { mass: 5.17759138449e-5, place: [11.4707666, -25.7294829, -10.8169456], speed: [2.8893e-3, 1.14527e-3, 3.9677e-4] },
  { mass: 1 / 1.3e8, place: [-15.5387357, -25.2225594, -3.1902382], speed: [2.76725e-3, -1.70702e-3, -1.36504e-3] },
]

await using engine = await createEngine({ precision: 'f64' })
await using system = await engine.simulate({
  law: gravity({ G: 2.95912208286e-4 }),
  particles: {
    position: bodies.flatMap(({ place }) => place),
    velocity: bodies.flatMap(({ speed }) => speed),
    mass: bodies.map(({ mass }) => mass),
  },
  integrator: ias15,
  dt: 10,
})
// Otherwise, all of them drift away from the origin, where coordinates have fewer digits.
await system.removeDrift()
const start = await system.energy()
await system.stepUntil(years * 365.25)
const end = await system.energy()

const error = Math.abs(end.total / start.total - 1)
const most = 1e-14 * Math.sqrt(years / 1000)
console.log(`after ${years} years the energy is right to ${most.toExponential(0)}: ${error < most}`)
