// Files of embedded atoms: what a simulation makes of them beside LAMMPS, and malformed files.

import { createEngine, type Engine, externalPotential, pairPotential, pairTerm, periodic } from 'manybody'
import { type EamTables, readFuncfl, readSetfl } from 'manybody/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atoms, copper, densityOf, funcfl, other, setfl } from './support/johnson.ts'

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await createEngine({ backend: 'cpu-wasm', precision: 'f64' })
})
afterAll(() => engine.dispose())

/** Embedded atoms with the tables of a file. */
async function simulated({ embedding, density, pair, cutoff }: EamTables, kind: readonly number[]) {
  const { position, box, mass } = atoms()
  const spoken = pairTerm('rho[kind_j](r)', { functions: { rho: density } })
  const repulsion = pairPotential('z[kind_i, kind_j](r)/r', { functions: { z: pair }, inertia: 'mass' })
  const embed = externalPotential('F[kind](density)', { functions: { F: embedding }, inertia: 'mass' })
  return engine.simulate({
    computed: { density: { law: spoken(), cutoff } },
    forces: [{ law: repulsion(), cutoff, boundary: periodic([box, box, box]) }, embed()],
    particles: { position, mass, kind: [...kind] },
    dt: 0.001,
  })
}

/**
 * LAMMPS (29 Sep 2021, Debian) for the files that `support/johnson.ts` writes:
 *
 *     units metal; boundary p p p; read_data atoms
 *     pair_style eam/alloy; pair_coeff * * two.eam.alloy Cu Xx     (or pair_style eam; pair_coeff * * cu.eam)
 *     dump d all custom 1 two.dump id fx fy fz; run 0
 *
 * It joins the values by other cubics, so the last digits differ.
 */
const lammps = {
  two: {
    energy: -108.475532605484,
    forces: [
      [0, -1.44569698166329, -1.43765470365451, 0.168054795303128],
      [1, 0.96662889817779, 1.25042259861272, 0.17945077476381],
    ],
  },
  one: {
    energy: -107.829986289293,
    forces: [
      [0, -0.841463640478522, -0.923321280518802, 0.0418923121336093],
      [1, 0.795350688083197, 0.8847456852421, -0.00603224422646292],
    ],
  },
}

it.each([
  ['two elements of a setfl file', lammps.two, () => readSetfl(setfl([copper, other])), atoms().kind],
  ['an element of a funcfl file', lammps.one, () => readFuncfl(funcfl(copper)), atoms().kind.map(() => 0)],
] as const)('%s have the energy and the forces of LAMMPS', async (_, { energy, forces }, read, kind) => {
  const simulation = await simulated(await read(), kind)
  expect(Math.abs((await simulation.energy()).potential / energy - 1)).toBeLessThan(1e-9)
  const acceleration = await simulation.read('acceleration')
  const { mass } = atoms()
  for (const [atom = 0, ...force] of forces)
    for (const [axis, f] of force.entries())
      expect(Math.abs((acceleration[3 * atom + axis] as number) * (mass[atom] as number) - f)).toBeLessThan(5e-6)
})

it('reads the head of each file, also in pieces', async () => {
  const text = setfl([copper, other])
  const pieces = Array.from({ length: 40 }, (_, n) => text.slice(n * 8000, (n + 1) * 8000)).concat(text.slice(320_000))
  const { elements, cutoff, density, pair, embedding } = await readSetfl(pieces)
  expect(elements).toEqual([
    { symbol: 'Cu', number: 29, mass: 63.546, latticeConstant: 3.6147, lattice: 'fcc' },
    { symbol: 'Xx', number: 99, mass: 90, latticeConstant: 3.8184, lattice: 'fcc' },
  ])
  expect(cutoff).toBe(3.5)
  expect(density[1]?.values[500]).toBeCloseTo(densityOf(other, 1.75), 12)
  expect([density[0]?.to, embedding[0]?.to, density[0]?.outside, embedding[0]?.outside]).toEqual([
    3.5,
    10,
    'edge',
    'error',
  ])
  expect(pair[0]?.[1]).toBe(pair[1]?.[0])
  const { elements: one } = await readFuncfl(funcfl(copper))
  expect(one).toEqual([{ symbol: '', number: 29, mass: 63.546, latticeConstant: 3.6147, lattice: 'fcc' }])
})

it('reads comments, blank lines, numbers of Fortran, and other ends of lines', async () => {
  const text = setfl([copper, other])
  const expected = await readSetfl(text)
  const [head, body] = [text.split('\n').slice(0, 3), text.split('\n').slice(3)]
  const fortran = body.map((line) => line.replace(/(\d)e([+-]?\d)/g, '$1D$2'))
  const noted = fortran.map((line, n) => (n % 3 === 0 ? `  ${line}\t# row ${n}\n\n   # 1 2 3` : line))
  expect(await readSetfl([...head, ...noted, '', '# UNITS: metal', ''].join('\r\n'))).toEqual(expected)
  expect(await readFuncfl(`${funcfl(copper).replaceAll('\n', ' # a\r\n')}\r\n`)).toEqual(
    await readFuncfl(funcfl(copper)),
  )
})

describe('malformed files', () => {
  const head = 'a\nb\nc\n1 Cu\n2 1 2 1 5\n29 63 3.6 fcc\n'
  it.each([
    ['', 'line 4: expected a number of elements and their symbols, got the end of the file'],
    ['a\nb\nc\n2 Cu', 'line 4: expected a number of elements and as many symbols, got 2 Cu'],
    ['a\nb\nc\n1 Cu\n1 1 2 1 5', 'line 5: "Nrho" expected a whole number of at least 2, got 1'],
    ['a\nb\nc\n1 Cu\n2 1 2.5 1 5', 'line 5: "Nr" expected a whole number of at least 2, got 2.5'],
    ['a\nb\nc\n1 Cu\n2 0 2 1 5', 'line 5: "drho" expected a number above 0, got 0'],
    ['a\nb\nc\n1 Cu\n2 1 2 1', 'line 5: "cutoff" expected a number, got nothing'],
    ['a\nb\nc\n1 Cu\n2 1 2 1 5\n29 x', 'line 6: "mass" expected a number, got "x"'],
    [`${head}1\n`, 'expected 2 numbers of the embedding energy of Cu, got 1 and the end of the file'],
    [`${head}1 2 3\n`, 'line 7: expected 2 numbers of the embedding energy of Cu, got 3 up to the end of the line'],
    [`${head}1 2\n3 nan`, 'line 8: "the density of Cu" expected a number, got "nan"'],
    [`${head}1 2\n3 4\n`, 'expected 2 numbers of the pair Cu-Cu, got 0 and the end of the file'],
    [`${head}1 2\n3 4\n5 6\n7\n`, 'line 10: expected the end of the file, got more text'],
    [`${head}1 2\n3 4\n5 6\n\nUNITS: metal\n`, 'line 11: expected the end of the file, got more text'],
  ])('%j', async (text, message) => {
    await expect(readSetfl(text)).rejects.toThrow(message)
  })

  it.each([
    ['7 8', '7 8'],
    ['0 0 0 0 0', '0 0 0 0'],
    ['0.5 0.25 0.125', '0.5 0.25 0.125'],
  ])('a file for eam/fs, whose second density begins with %s', async (density, got) => {
    const text = `a\nb\nc\n2 Cu Xx\n2 1 2 1 5\n29 63 3.6 fcc\n1 2\n3 4\n${density}\n`
    await expect(readSetfl(text)).rejects.toThrow(
      `line 9: expected atomic number, mass, lattice constant and lattice of Xx, got ${got}; a file for eam/fs has several densities`,
    )
  })

  it('a funcfl file that is a setfl file', async () => {
    await expect(readFuncfl(setfl([copper]))).rejects.toThrow(
      /^Malformed funcfl file, line 3: "atomic number" expected a number/,
    )
  })
})
