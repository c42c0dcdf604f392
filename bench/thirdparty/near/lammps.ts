/**
 * LAMMPS as a contender: steps of the same liquid with `pair_style lj/cut`, on one process for each thread. It prints the time of its loop
 * alone, and that time counts. It is judged by the forces on the atoms before the first step.
 */

import type { PairWorkload, ParticleSet } from '@manybody/core'
import type { Contender, Problem } from '../../src/contender.ts'
import { stepsTogether } from '../../src/near/ours.ts'
import { liquid } from '../../src/near-tasks.ts'
import { type LammpsData, LammpsProcess, lammpsVersion } from '../lammps.ts'
import { rivalHere } from '../processor.ts'

/** @throws Error in `prepare` if LAMMPS is missing or the problem is not the liquid */
export function lammps(threads: number): Contender {
  const name = 'LAMMPS'
  return {
    name: `${name}, ${threads}`,
    rival: true,
    about: { name, precision: 'f64', threads },
    async prepare(problem) {
      if (!('velocity' in problem.particles)) throw new Error(`LAMMPS steps atoms, and has no ${problem.task}`)
      const version = lammpsVersion()
      const running = new LammpsProcess('atomic', dataOf(problem), setup, threads)
      const { forces } = await running.start()
      return {
        who: rivalHere({ name, precision: 'f64', variant: `lj/cut, ${version}`, threads }),
        accuracy: { accumulation: 'f64', precision: 'f64' },
        ownClock: true,
        run: async () => ({ upload: 0, compute: await running.steps(stepsTogether), readback: 0 }),
        results: async () => ({ force: forces }),
        dispose: () => running.end(),
      }
    },
  }
}

/** The settings of its benchmark `lj`: a skin of 0.3, and new lists every 20 steps. */
const setup = `pair_style lj/cut ${liquid.cutoff}
pair_coeff 1 1 1.0 1.0
neighbor 0.3 bin
neigh_modify delay 0 every ${stepsTogether} check no
fix 1 all nve
timestep ${liquid.dt}`

function dataOf({ workload, particles, targets }: Problem): LammpsData {
  const { position, velocity } = particles as ParticleSet & {
    readonly position: Float32Array
    readonly velocity: Float32Array
  }
  const { boundary } = (workload as PairWorkload).domain
  const rows = (array: Float32Array) =>
    Array.from({ length: targets }, (_, n) => array.slice(3 * n, 3 * n + 3).join(' '))
  return {
    lengths: boundary.kind === 'periodic' ? boundary.lengths : [],
    atoms: rows(position),
    velocities: rows(velocity),
  }
}
