/**
 * Ewald sums of LAMMPS, if it is installed: forces on charges that stay where they are, by `pppm` and by `ewald`. It tells the time of its
 * processors, and makes its lists of neighbours once in all its steps. It does not choose a cutoff, so it runs with several, and
 * the fastest counts.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lammpsCommand, lammpsEnvironment, lammpsVersion } from '../lammps.ts'

/** Charges in a cube of edge 1. */
interface Charges {
  readonly position: Float64Array
  readonly charge: Float64Array
}

export interface LammpsSums {
  /** Processor time of all processes for each charge, in microseconds. */
  readonly microseconds: number
  readonly force: Float64Array
  readonly setting: string
}

type Style = 'pppm' | 'ewald'

/** How many charges each cutoff holds, and how many steps are timed together. */
const styles: Readonly<Record<Style, { readonly near: readonly number[]; readonly steps: number }>> = {
  pppm: { near: [60, 120, 240], steps: 20 },
  // Its sum over modes takes most of the time, so the cutoffs are long.
  ewald: { near: [300, 1000], steps: 4 },
}

export const lammpsIsInstalled = (): boolean => lammpsVersion() !== undefined

/** The forces by the fastest cutoff. @throws Error if LAMMPS is missing, and with the last line that it says */
export function lammpsSums(charges: Charges, style: Style, accuracy: number, threads: number): LammpsSums {
  if (!lammpsIsInstalled()) throw new Error('LAMMPS is not installed: install the Debian package lammps')
  const sums = styles[style].near.map((count) =>
    sumsWithin(charges, Math.cbrt((3 * count) / (4 * Math.PI)), style, accuracy, threads),
  )
  return sums.reduce((best, one) => (one.microseconds < best.microseconds ? one : best))
}

/** @param cutoff in units in which each charge has the volume 1 */
function sumsWithin(
  { position, charge }: Charges,
  cutoff: number,
  style: Style,
  accuracy: number,
  threads: number,
): LammpsSums {
  const { steps } = styles[style]
  const count = charge.length
  const edge = Math.cbrt(count)
  const folder = mkdtempSync(join(tmpdir(), 'manybody-lammps-'))
  try {
    const [data, dump] = [join(folder, 'charges.data'), join(folder, 'forces.dump')]
    writeFileSync(data, dataOf(position, charge, edge))
    const input = `units lj
atom_style charge
read_data ${data}
pair_style coul/long ${cutoff}
pair_coeff * *
kspace_style ${style} ${accuracy}
neighbor 0.3 bin
neigh_modify delay 0 every 1000 check no
run 0
write_dump all custom ${dump} fx fy fz modify sort id format float %.17g
run ${steps}
run ${steps}
`
    const [program, ...args] = lammpsCommand(threads)
    const { stdout, error } = spawnSync(program, args, { input, encoding: 'utf8', env: lammpsEnvironment() })
    if (error) throw error
    // Its clock, less the time in which the processor had other work.
    const loops = stdout.matchAll(/Loop time of (\S+) on \d+ procs for (\d+) steps[^%]*?(\S+)% CPU use/g)
    const seconds = [...loops].flatMap(([, time, of, share]) =>
      Number(of) === steps ? [(Number(time) * Number(share)) / 100] : [],
    )
    if (seconds.length === 0) throw new Error(`LAMMPS ended: ${stdout.trim().split('\n').at(-1)}`)
    const grid = /grid = (\d+ \d+ \d+)/.exec(stdout)?.[1]?.replaceAll(' ', ' x ')
    const vectors = /KSpace vectors: actual max1d max3d = (\d+)/.exec(stdout)?.[1]
    const size = grid ? `grid ${grid}` : `${vectors} vectors`
    const lines = readFileSync(dump, 'utf8').split('\n')
    return {
      microseconds: (1e6 * threads * Math.min(...seconds)) / (steps * count),
      force: Float64Array.from(
        lines.slice(9, 9 + count).flatMap((line) =>
          line
            .trim()
            .split(' ')
            .map((f) => Number(f) * edge ** 2),
        ),
      ),
      setting: `LAMMPS ${lammpsVersion()}, ${style} ${accuracy.toExponential(0)} (cutoff ${(cutoff / edge).toPrecision(3)}, ${size})`,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The charges as LAMMPS reads them, with every digit. */
const dataOf = (position: Float64Array, charge: Float64Array, edge: number): string =>
  [
    'Charges of the benchmark',
    '',
    `${charge.length} atoms`,
    '1 atom types',
    ...['x', 'y', 'z'].map((axis) => `0 ${edge} ${axis}lo ${axis}hi`),
    '',
    'Masses',
    '',
    '1 1.0',
    '',
    'Atoms',
    '',
    ...Array.from(
      charge,
      (q, n) => `${n + 1} 1 ${q} ${[0, 1, 2].map((axis) => (position[3 * n + axis] as number) * edge).join(' ')}`,
    ),
    '',
  ].join('\n')
