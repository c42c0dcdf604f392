/** Solid argon, as Lennard-Jones atoms on a face-centred cubic lattice in a periodic box, against the lattice sum. */

import { createEngine, energy, forces, lennardJones, periodic } from 'manybody'

await using engine = await createEngine()

const cells = 6
// Nearest neighbours are 1.0902 sigma apart in the lattice of lowest energy.
const edge = 1.0902 * Math.SQRT2
const corners = Array.from({ length: cells ** 3 }, (_, n) => [
  n % cells,
  Math.floor(n / cells) % cells,
  Math.floor(n / cells ** 2),
])
const basis = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
]
const atoms = corners.flatMap((corner) =>
  basis.map((offset) => corner.map((c, axis) => edge * (c + (offset[axis] ?? 0)))),
)

const position = Float32Array.from(atoms.flat())
const particles = { position }
const law = lennardJones({ sigma: 1, epsilon: 1 })
const box = cells * edge
const cutoff = 4.6
const domain = { boundary: periodic([box, box, box]), cutoff }

const total = await engine.run(energy(law, domain), particles)
const { force } = await engine.run(forces(law, domain), particles)

// The energy of the atoms beyond the cutoff, as if they were spread evenly.
const density = atoms.length / box ** 3
const tail = (8 / 3) * Math.PI * density * (cutoff ** -9 / 3 - cutoff ** -3)
const perAtom = total.energy / atoms.length
console.log(`${atoms.length} atoms, energy per atom within the cutoff: ${perAtom.toFixed(3)} epsilon`)
console.log(`with what lies beyond: ${(perAtom + tail).toFixed(2)} epsilon; lattice sum: -8.61`)
console.log(`no atom is pulled anywhere: ${Math.max(...force.map(Math.abs)) < 1e-3}`)
