// Tables of LAMMPS: sections, spacings, what a law makes of them, and malformed files.

import { createEngine, forces, pairPotential } from 'manybody'
import { readLammpsTables } from 'manybody/files'
import { expect, it } from 'vitest'

const energy = (r: number) => 4 * (r ** -12 - r ** -6)
const force = (r: number) => 48 * r ** -13 - 24 * r ** -7
/** Lines as LAMMPS' `pair_write` writes them. */
const lines = (distances: readonly number[]) =>
  distances
    .map((r, n) => `${n + 1} ${r.toFixed(12)} ${energy(r).toExponential(15)} ${force(r).toExponential(15)}`)
    .join('\n')
const between = (from: number, to: number, count: number) =>
  Array.from({ length: count }, (_, n) => from + ((to - from) * n) / (count - 1))

const file = `# DATE: 2026-11-28  UNITS: lj
# Two sections.

ARGON
N 500 R 0.8 3.0 FPRIME 1.5e2 -0.01

${lines(between(0.8, 3, 500))}

SQUARES   # equal steps of the square
N 400 RSQ 0.9 2.5

${lines(between(0.81, 6.25, 400).map(Math.sqrt))}

OWN
N 3

1 1.0 5.0 0.0
2 1.5 4.0 0.0
3 2.5 1.0 0.0
`

it('reads the sections of a file, whose energies a law takes', async () => {
  const tables = await readLammpsTables(file)
  expect(Object.keys(tables)).toEqual(['ARGON', 'SQUARES', 'OWN'])
  expect(tables.ARGON).toMatchObject({ from: 0.8, to: 3 })
  expect(tables.OWN).toEqual({ at: [1, 1.5, 2.5], values: [5, 4, 1] })
  await using engine = await createEngine({ precision: 'f64' })
  for (const name of ['ARGON', 'SQUARES'] as const) {
    const law = pairPotential('u(r)', { functions: { u: tables[name] as never } })()
    for (const r of [1, 1.3, 2.2]) {
      const { force: got } = await engine.run(forces(law), { position: [0, 0, 0, r, 0, 0] })
      expect(Math.abs((got[3] as number) - force(r))).toBeLessThan(2e-4 * Math.max(1, Math.abs(force(r))))
    }
  }
})

it.each([
  ['', 'line 1: expected a section, got an empty file'],
  ['A\nN 2 BITMAP 1 2', 'line 2: expected N, R, RSQ, FPRIME, EWALD or PPPM, got "BITMAP"'],
  ['A\nR 1 2', 'line 2: expected N and a whole number of at least 2, got no N'],
  ['A\nN 1', 'line 2: expected N and a whole number of at least 2, got 1'],
  ['A\nN 2 R 2 1', 'line 2: expected an outer distance above the inner one, got 2 and 1'],
  ['A\nN 2\n1 1 1 1\n3 2 1 1', 'line 4: expected index 2, got 3'],
  ['A\nN 2\n1 1 1 1\n2 1 1 1', 'line 4: expected ascending distances, got 1 after 1'],
  ['A\nN 2\n1 1 x 1', 'line 3: "energy" expected a number, got "x"'],
  ['A\nN 2\n1 1 1 1', 'expected 2 lines of section A, which begins at line 1, got 1'],
  ['A\nN 2\n1 1 1 1\n2 2 1 1\nA', 'line 5: expected another keyword than A, which came before'],
])('refuses %j', async (text, message) => {
  await expect(readLammpsTables(text)).rejects.toThrow(message)
})
