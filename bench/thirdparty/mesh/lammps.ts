/**
 * Ewald sums of LAMMPS as contenders: forces on charges that stay where they are, by `pppm` and by `ewald`, on one process for each thread.
 * It prints the time of its steps, and makes its lists of neighbours once for all of them. It does not choose a cutoff, so it tries
 * several, and the fastest takes part.
 */

import type { ParticleSet } from '@manybody/core'
import type { Contender, Problem } from '../../src/contender.ts'
import { LammpsProcess, lammpsVersion } from '../lammps.ts'
import { rivalHere } from '../processor.ts'

type Style = 'pppm' | 'ewald'

/** How many charges each cutoff holds, and how many steps are timed together. */
const styles: Readonly<Record<Style, { readonly near: readonly number[]; readonly steps: number }>> = {
  pppm: { near: [60, 120, 240], steps: 10 },
  // Its sum over modes takes most of the time, so the cutoffs are long.
  ewald: { near: [300, 1000], steps: 2 },
}

/** `ewald` of more charges takes too long: its time for each charge grows as the root of their number. */
const mostOfEwald = 10_000

export const ewaldStyles = (charges: number): readonly Style[] => (charges > mostOfEwald ? ['pppm'] : ['pppm', 'ewald'])

/**
 * @param tolerance its own measure of the error
 * @throws Error in `prepare` if LAMMPS is missing, and with the last line that it says
 */
export function lammpsSums(style: Style, tolerance: number, threads: number): Contender {
  const name = `LAMMPS ${style}, tolerance ${tolerance}`
  const { steps, near } = styles[style]
  return {
    name,
    rival: true,
    about: { name, precision: 'f64', threads },
    async prepare(problem) {
      const version = lammpsVersion()
      const { running, cutoff, forces, said } = await fastest(
        near.map((count) => startedWithin(Math.cbrt((3 * count) / (4 * Math.PI)), problem, style, tolerance, threads)),
        steps,
      )
      const edge = Math.cbrt(problem.targets)
      const variant = [version, `cutoff ${(cutoff / edge).toPrecision(3)}`, sizeIn(said)].join(', ')
      const force = forces.map((f) => f * edge ** 2)
      return {
        who: rivalHere({ name, precision: 'f64', variant, threads }),
        accuracy: { accumulation: 'f64', precision: 'f64' },
        ownClock: true,
        run: async () => ({ upload: 0, compute: await running.steps(steps), readback: 0 }),
        results: async () => ({ force }),
        dispose: () => running.end(),
      }
    },
  }
}

interface Started {
  readonly running: LammpsProcess
  readonly cutoff: number
  readonly forces: Float64Array
  readonly said: string
}

/** Ends all others. */
async function fastest(all: readonly (() => Promise<Started>)[], steps: number): Promise<Started> {
  const tried: (Started & { readonly time: number })[] = []
  let best: Started | undefined
  try {
    for (const start of all) {
      const started = await start()
      tried.push({ ...started, time: Number.POSITIVE_INFINITY })
      const time = await started.running.steps(steps)
      tried.splice(-1, 1, { ...started, time })
    }
    best = tried.reduce((a, b) => (b.time < a.time ? b : a))
    return best
  } finally {
    for (const one of tried) if (one !== best) one.running.end()
  }
}

/** @param cutoff in units in which each charge has the volume 1 */
function startedWithin(cutoff: number, problem: Problem, style: Style, accuracy: number, threads: number) {
  return async (): Promise<Started> => {
    const setup = `pair_style coul/long ${cutoff}
pair_coeff * *
kspace_style ${style} ${accuracy}
neighbor 0.3 bin
neigh_modify delay 0 every 1000 check no`
    const running = new LammpsProcess('charge', dataOf(problem), setup, threads)
    try {
      return { running, cutoff, ...(await running.start()) }
    } catch (error) {
      running.end()
      throw error
    }
  }
}

/** `grid 24 x 24 x 24`, `1234 vectors`. */
function sizeIn(said: string): string {
  const grid = /grid = (\d+ \d+ \d+)/.exec(said)?.[1]
  const vectors = /KSpace vectors: actual max1d max3d = (\d+)/.exec(said)?.[1]
  return grid === undefined ? `${vectors} vectors` : `grid ${grid.replaceAll(' ', ' x ')}`
}

/** The charges of a cube with edge 1. */
function dataOf({ particles, targets }: Problem) {
  const { position, charge } = particles as ParticleSet & {
    readonly position: Float32Array
    readonly charge: Float32Array
  }
  const edge = Math.cbrt(targets)
  const place = (n: number) => Array.from(position.subarray(3 * n, 3 * n + 3), (x) => x * edge).join(' ')
  return { lengths: [edge, edge, edge], atoms: Array.from(charge, (q, n) => `${q} ${place(n)}`) }
}
