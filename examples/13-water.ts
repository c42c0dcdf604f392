/**
 * Water-like molecules in a periodic box: charges and Lennard-Jones between molecules, bonds and angles within. Steps run on the device.
 */

import { anglePotential, createEngine, lennardJones, pairPotential, periodic } from 'manybody'

// Lengths in nm, times in ps, masses in u, energies in kJ/mol: the charges and sizes of the SPC model.
// H. J. C. Berendsen et al., Intermolecular Forces (1981), p. 331.
const side = 4
const molecules = side ** 3
const spacing = 0.3107
const box = periodic([side * spacing, side * spacing, side * spacing])
const atoms = Array.from({ length: 3 * molecules }, (_, atom) => ({
  molecule: Math.floor(atom / 3),
  hydrogen: atom % 3,
}))

// The oxygen of each molecule comes first. The pairs within a molecule feel only bonds and the angle.
const oxygens = Array.from({ length: molecules }, (_, molecule) => 3 * molecule)
const bonds = oxygens.flatMap((o) => [[o, o + 1] as const, [o, o + 2] as const])
const angles = oxygens.map((o) => [o + 1, o, o + 2] as const)
const exclusions = [...bonds, ...oxygens.map((o) => [o + 1, o + 2] as const)]
const bond = pairPotential('k*(r - rest)^2/2', { inertia: 'mass', parameters: { k: 345000, rest: 0.1 } })
const bend = anglePotential('k*(theta - rest)^2/2', { parameters: { k: 383, rest: (109.47 * Math.PI) / 180 } })

const bondLength = 0.1
const apart = 2 * bondLength * Math.sin((109.47 / 2) * (Math.PI / 180))
const height = bondLength * Math.cos((109.47 / 2) * (Math.PI / 180))
const places = [0, 0, 0, apart / 2, height, 0, -apart / 2, height, 0]

// Beyond the cutoff lies a conductor, the reaction field: the force between two charges ends there smoothly.
const cutoff = 0.6
const charges = pairPotential('k*charge_i*charge_j*(1/r + r2/(2*end^3) - 3/(2*end))', {
  parameters: { k: 138.935, end: cutoff },
})

await using engine = await createEngine()
await using water = await engine.simulate({
  forces: [
    { law: lennardJones(), boundary: box, cutoff, switchDistance: 0.5, exclusions },
    { law: charges(), boundary: box, cutoff, exclusions },
    { law: bond(), bonds, boundary: box },
    { law: bend(), angles, boundary: box },
  ],
  particles: {
    position: atoms.flatMap(({ molecule, hydrogen }) => {
      const cell = [molecule % side, Math.floor(molecule / side) % side, Math.floor(molecule / side ** 2)]
      // Each molecule is turned by another angle about z.
      const [cos, sin] = [Math.cos(molecule), Math.sin(molecule)]
      const [x = 0, y = 0] = places.slice(3 * hydrogen)
      const own = [x * cos - y * sin, x * sin + y * cos, 0]
      return cell.map((n, axis) => spacing * n + (own[axis] ?? 0))
    }),
    mass: atoms.map(({ hydrogen }) => (hydrogen ? 1.008 : 15.9994)),
    charge: atoms.map(({ hydrogen }) => (hydrogen ? 0.41 : -0.82)),
    sigma: atoms.map(() => 0.3166),
    epsilon: atoms.map(({ hydrogen }) => (hydrogen ? 0 : 0.65)),
  },
  dt: 0.0002,
})

const start = await water.energy()
await water.step(Number(process.argv[2] ?? 1000))
const end = await water.energy()
const [kinetic, change] = [end.kinetic / molecules, Math.abs(end.total - start.total) / molecules]
console.log(
  `${molecules} molecules turn towards each other: kinetic energy 20 to 30 kJ/mol: ${kinetic > 20 && kinetic < 30}`,
)
console.log(`energy kept to a hundredth of that: ${change < kinetic / 100}`)
const position = await water.read('position')
const lengths = exclusions.map(([a, b]) =>
  Math.hypot(...[0, 1, 2].map((axis) => (position[3 * a + axis] as number) - (position[3 * b + axis] as number))),
)
const bent = lengths.some((length, n) => Math.abs(length - (n < bonds.length ? bondLength : apart)) > 0.03)
console.log(`all molecules have their shape to 0.03 nm: ${!bent}`)
