/**
 * Ions in a trap are cooled by a thermostat until they freeze into shells: a Coulomb crystal.
 *
 * Units: mass, charge and the frequency of the trap are 1, so that two ions rest at a distance of 2^(1/3).
 *
 * @source D. H. E. Dubin and T. M. O'Neil, Trapped nonneutral plasmas, liquids, and crystals, Reviews of Modern Physics 71 (1999) 87
 */

import { coulomb, createEngine, externalPotential, langevin } from 'manybody'
import { uniformBall } from 'manybody/initial'

// `npx tsx examples/simulations/ions-in-a-trap.ts 500` takes 500 ions.
const [count = 100] = process.argv.slice(2).map(Number)
const ones = new Float32Array(count).fill(1)
const trap = externalPotential('mass*(position_x^2 + position_y^2 + position_z^2)/2')
const { position } = uniformBall({ count, seed: 1, radius: 2 * Math.cbrt(count) })

await using engine = await createEngine()
await using ions = await engine.simulate({
  forces: [coulomb(), trap()],
  particles: { position, mass: ones, charge: ones },
  integrator: langevin({ temperature: 0.001, friction: 0.5, seed: 1 }),
  dt: 0.02,
})
await ions.step(4000)

const temperature = await ions.temperature()
console.log(`${count} ions at the temperature of the thermostat: ${Math.abs(temperature / 0.001 - 1) < 0.5}`)

// In the fluid limit the ions fill a ball evenly, with an energy of 9/10 N^(5/3). A crystal has less.
const { potential } = await ions.energy()
console.log(`energy ${(potential / (0.9 * count ** (5 / 3))).toFixed(2)} of that of an even ball`)

const radius = 'sqrt(position_x^2 + position_y^2 + position_z^2)'
const edge = Math.cbrt(count)
const { ions: shells } = await ions.total({ ions: '1' }, { by: `floor(${radius}/(0.65*${edge}))`, groups: 2 })
console.log(`${shells[0]} ions in the inner shells, ${shells[1]} in the outermost`)
