/** Your own potential, as text: the force is its exact derivative. Here it is Mie's 14-7 potential. */

import { createEngine, forces, pairPotential, potentials } from 'manybody'

await using engine = await createEngine()

const mie = pairPotential('4*depth*(q^14 - q^7); q = (sigma_i + sigma_j)/(2*r)', {
  name: 'Mie 14-7',
  parameters: { depth: 1 },
})
console.log(`parameters: ${Object.keys(mie.defaults)}; Newton's third law holds: ${mie().symmetric}`)

// One target and one source at a time, on the x axis; the force on the target is positive when it attracts.
const sigma = Float32Array.of(1)
for (const r of [1, 2 ** (1 / 7), 2]) {
  const pair = {
    targets: { position: Float32Array.of(0, 0, 0), sigma },
    sources: { position: Float32Array.of(r, 0, 0), sigma },
  }
  const { potential } = await engine.run(potentials(mie()), pair)
  const { force } = await engine.run(forces(mie()), pair)
  console.log(`r = ${r.toFixed(3)}: energy ${shown(potential[0])}, force ${shown(force[0])}`)
}

// Mistakes are found before anything runs, and the message shows their place.
try {
  pairPotential('4*depth*(q^14 - q^7); q = sigma/r', { parameters: { depth: 1 } })
} catch (error) {
  console.log(String(error))
}

function shown(value = Number.NaN): string {
  return (Math.round(value * 1000) / 1000 + 0).toFixed(3)
}
