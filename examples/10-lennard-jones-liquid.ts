/**
 * A Lennard-Jones liquid melts from its lattice, and the counts of neighbours give its radial distribution function.
 *
 * Units: sigma = epsilon = mass = 1. Density 0.8442 and temperature 1.44 come from LAMMPS' benchmark `melt`.
 */

import { countWithin, createEngine, lennardJones, periodic } from 'manybody'
import { randomFrom } from './support/random.ts'

// For example `npx tsx examples/10-lennard-jones-liquid.ts 6 100`: 4 atoms for each of 6^3 cells, 100 steps.
const [cells = 20, steps = 400] = process.argv.slice(2).map(Number)
const density = 0.8442
const edge = (4 / density) ** (1 / 3)
const box = cells * edge
const boundary = periodic([box, box, box])

const corners = Array.from({ length: cells ** 3 }, (_, n) => [n, Math.floor(n / cells), Math.floor(n / cells ** 2)])
const basis = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
]
const position = Float32Array.from(
  corners.flatMap((corner) =>
    basis.flatMap((offset) => corner.map((c, axis) => edge * ((c % cells) + (offset[axis] ?? 0)))),
  ),
)
const count = position.length / 3
const particles = { position, velocity: velocities(1.44), mass: new Float32Array(count).fill(1) }

await using engine = await createEngine()
const law = lennardJones({ sigma: 1, epsilon: 1 })
// The switch keeps forces smooth at the cutoff, so that energy is conserved.
const domain = { boundary, cutoff: 2.5, switchDistance: 2 }
const liquid = await engine.simulate({ law, particles, dt: 0.005, domain })
const before = await liquid.energy()
await liquid.step(steps)
const after = await liquid.energy()
const drift = Math.abs(after.total - before.total) / count
console.log(`${count} atoms, energy kept to 0.01 of epsilon per atom: ${drift < 0.01}`)
console.log(
  `melting has taken about half of the kinetic energy: ${Math.abs(after.kinetic / before.kinetic - 0.5) < 0.1}`,
)

// Counts the neighbours within growing radii. g(r) is the number of new neighbours in each shell, divided by the number in a gas.
const points = { position: await liquid.read('position') }
const width = 0.1
const g: number[] = []
const within = [0]
for (let shell = 1; shell <= 35; shell++) {
  const [inner, outer] = [(shell - 1) * width, shell * width]
  const { count: neighbours } = await engine.run(countWithin(outer, { boundary }), points)
  const mean = neighbours.reduce((sum, n) => sum + n, 0) / count
  g.push((mean - (within[shell - 1] ?? 0)) / ((4 / 3) * Math.PI * density * (outer ** 3 - inner ** 3)))
  within.push(mean)
}
const highest = g.indexOf(Math.max(...g))
console.log(`g(r) is highest from r = ${(highest * width).toFixed(1)} on: ${g[highest]?.toFixed(1)}`)
console.log(`an atom has ${within[15]?.toFixed(0)} neighbours within 1.5`)

/** Random velocities of a temperature, without a drift of the whole. */
function velocities(temperature: number): Float32Array {
  const random = randomFrom(3)
  const given = Float32Array.from({ length: 3 * count }, () => Math.sqrt(12 * temperature) * (random() - 0.5))
  const means = [0, 1, 2].map((axis) => given.reduce((sum, v, n) => (n % 3 === axis ? sum + v / count : sum), 0))
  return given.map((v, n) => v - (means[n % 3] ?? 0))
}
