/**
 * Rigid water in a periodic box: SPC/E molecules with all images of their charges. Steps stay on the device.
 *
 * `--molecules 4096 --steps 1000 --backend webgpu --time` prints how long a step takes. With `--pressure`, the box finds its density at 1 bar.
 */

import { parseArgs } from 'node:util'
import { coulomb, createEngine, langevin, lennardJones, mesh, periodic } from 'manybody'

const { values } = parseArgs({
  options: {
    molecules: { type: 'string', default: '216' },
    steps: { type: 'string', default: '250' },
    backend: { type: 'string' },
    time: { type: 'boolean', default: false },
    pressure: { type: 'boolean', default: false },
  },
})
const [side, steps] = [Math.round(Math.cbrt(Number(values.molecules))), Number(values.steps)]
const count = side ** 3

// Lengths in nm, times in ps, masses in u, energies in kJ/mol. H. J. C. Berendsen et al., J. Phys. Chem. 91 (1987) 6269.
const perCubicNanometre = 602.214 / 18.0154
const box = Math.cbrt(count / (0.998 * perCubicNanometre))
const boundary = periodic([box, box, box])
const half = (109.47 / 360) * Math.PI
const [along, across] = [0.1 * Math.cos(half), 0.1 * Math.sin(half)]
const oxygens = Array.from({ length: count }, (_, n) => 3 * n)
const position = oxygens.flatMap((_, n) => {
  const oxygen = [n, n / side, n / side ** 2].map((k) => (box / side) * (Math.floor(k) % side))
  // Neighbours point along other axes.
  const moved = (u: number, v: number) =>
    oxygen.map((x, axis) => x + (axis === n % 3 ? u : axis === (n + 1) % 3 ? v : 0))
  return [...oxygen, ...moved(along, across), ...moved(along, -across)]
})
const atoms = (oxygen: number, hydrogen: number) => oxygens.flatMap(() => [oxygen, hydrogen, hydrogen])
const distances = oxygens.flatMap((o): [number, number, number][] => [
  [o, o + 1, 0.1],
  [o, o + 2, 0.1],
  [o + 1, o + 2, 2 * across],
])
const exclusions = distances.map(([a, b]): [number, number] => [a, b])

// The attraction beyond the cutoff pulls with 165 bar, if the density there is uniform.
const bar = 0.0602214
const barostat = { pressure: 166 * bar, time: 1, compressibility: 4.5e-5 / bar, seed: 2 }
const boltzmann = 0.0083144626

await using engine = await createEngine({ ...(values.backend && { backend: values.backend }) })
await using water = await engine.simulate({
  particles: {
    position,
    mass: atoms(15.9994, 1.008),
    charge: atoms(-0.8476, 0.4238),
    sigma: atoms(0.3166, 0),
    epsilon: atoms(0.65, 0),
  },
  forces: [
    { law: coulomb({ k: 138.935458 }), boundary, method: mesh({ tolerance: 1e-4 }), exclusions },
    { law: lennardJones(), boundary, cutoff: 0.9, switchDistance: 0.8, exclusions },
  ],
  constraints: { distances },
  integrator: langevin({ temperature: 298, friction: 10, boltzmann, seed: 1 }),
  dt: 0.002,
  ...(values.pressure && { barostat }),
})

// The lattice melts, then means are taken.
await water.step(steps)
let density = 0
const samples = 50
const start = performance.now()
for (let n = 0; n < samples; n++) {
  await water.step(Math.ceil(steps / samples))
  const { boundary: now } = water
  const [x = 0, y = 0, z = 0] = now.kind === 'periodic' ? now.lengths : []
  density += count / (x * y * z) / perCubicNanometre / samples
}
const milliseconds = (performance.now() - start) / (samples * Math.ceil(steps / samples))

const { potential } = await water.energy()
const temperature = await water.temperature({ boltzmann })
const [error] = await water.forceErrors()
console.log(`a liquid, at -41 to -50 kJ/mol per molecule: ${Math.abs(potential / count + 45.5) < 4.5}`)
console.log(`near 298 K: ${Math.abs(temperature - 298) < 60}, with forces to 1e-4: ${error?.ok}`)
if (values.pressure) console.log(`mean density ${density.toFixed(3)} g/cm3, of SPC/E water 0.998`)
if (values.time)
  console.log(
    `${count} molecules on ${engine.device.info.name}: ${milliseconds.toFixed(2)} ms a step, ${error?.variant}`,
  )
