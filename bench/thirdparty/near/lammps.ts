/**
 * LAMMPS as a contender, if it is installed: steps of the same liquid with `pair_style lj/cut`, on one process for each thread. It prints
 * the time of its loop alone, and that time counts. It is judged by the forces on the atoms before the first step.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PairWorkload, ParticleSet } from '@manybody/core'
import type { Contender, Problem, Results } from '../../src/contender.ts'
import { stepsTogether } from '../../src/near/ours.ts'
import { liquid } from '../../src/near-tasks.ts'
import { rivalHere } from '../processor.ts'
import { lammpsCommand, lammpsEnvironment, lammpsVersion } from './lammps-program.ts'

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
      if (version === undefined) throw new Error('LAMMPS is not installed: install the Debian package lammps')
      const running = new Lammps(problem, threads)
      await running.loop(0)
      const forces = running.forces(problem.targets)
      return {
        who: rivalHere({ name, precision: 'f64', variant: `lj/cut, ${version}`, threads }),
        accuracy: { accumulation: 'f64', precision: 'f64' },
        ownClock: true,
        async run() {
          const seconds = await running.loop(stepsTogether)
          return { upload: 0, compute: (1000 * seconds) / stepsTogether, readback: 0 }
        },
        async results(): Promise<Results> {
          return { force: forces }
        },
        dispose: () => running.end(),
      }
    },
  }
}

/** A process that has its atoms and waits for commands. */
class Lammps {
  readonly #folder = mkdtempSync(join(tmpdir(), 'manybody-lammps-'))
  readonly #process: ChildProcessWithoutNullStreams
  readonly #ranks: boolean
  #said = ''
  #waiting: { resolve(seconds: number): void; reject(error: Error): void } | undefined
  #ended: Error | undefined

  constructor(problem: Problem, threads: number) {
    const data = join(this.#folder, 'atoms.data')
    writeFileSync(data, dataOf(problem))
    const [program, ...args] = lammpsCommand(threads)
    this.#ranks = threads > 1
    this.#process = spawn(program, args, { env: lammpsEnvironment() })
    this.#process.stdout.on('data', (bytes: Buffer) => this.#read(bytes.toString()))
    this.#process.on('error', (error) => this.#fail(error))
    this.#process.on('close', () => this.#fail(new Error(`LAMMPS ended: ${this.#said.trim().split('\n').at(-1)}`)))
    this.#process.stdin.on('error', () => {})
    // The settings of its benchmark `lj`: a skin of 0.3, and new lists every 20 steps.
    this.#process.stdin.write(`units lj
atom_style atomic
read_data ${data}
pair_style lj/cut ${liquid.cutoff}
pair_coeff 1 1 1.0 1.0
neighbor 0.3 bin
neigh_modify delay 0 every ${stepsTogether} check no
fix 1 all nve
timestep ${liquid.dt}
thermo 1000000
`)
  }

  /** Runs steps, and returns their seconds. */
  loop(steps: number): Promise<number> {
    if (this.#ended) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#send('SIGCONT')
      this.#process.stdin.write(`run ${steps}\n`)
      if (steps === 0)
        this.#process.stdin.write(
          `write_dump all custom ${this.#dump} fx fy fz modify sort id format float %.17g\nprint done\n`,
        )
    })
  }

  /**
   * Stops the ranks, or lets them continue. Ranks that wait for the next command spin. They would take a processor from the next
   * contenders.
   */
  #send(signal: 'SIGTSTP' | 'SIGCONT'): void {
    if (this.#ranks) this.#process.kill(signal)
  }

  /** The forces after `loop(0)`. */
  forces(atoms: number): Float64Array {
    const lines = readFileSync(this.#dump, 'utf8').split('\n')
    return Float64Array.from(lines.slice(9, 9 + atoms).flatMap((line) => line.trim().split(' ').map(Number)))
  }

  end(): void {
    this.#send('SIGCONT')
    this.#process.stdin.end()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #dump(): string {
    return join(this.#folder, 'forces.dump')
  }

  #read(text: string): void {
    this.#said += text
    const [all, seconds, steps] = /Loop time of (\S+) on \d+ procs for (\d+) steps/.exec(this.#said) ?? []
    if (all === undefined || (steps === '0' && !/^done$/m.test(this.#said))) return
    this.#said = ''
    this.#send('SIGTSTP')
    this.#waiting?.resolve(Number(seconds))
    this.#waiting = undefined
  }

  #fail(error: Error): void {
    this.#ended ??= error
    this.#waiting?.reject(this.#ended)
    this.#waiting = undefined
  }
}

/** The atoms as LAMMPS reads them, with every digit. */
function dataOf({ workload, particles, targets }: Problem): string {
  const { position, velocity } = particles as ParticleSet & {
    readonly position: Float32Array
    readonly velocity: Float32Array
  }
  const { boundary } = (workload as PairWorkload).domain
  const lengths = boundary.kind === 'periodic' ? boundary.lengths : []
  const rows = (array: Float32Array, before: string) =>
    Array.from({ length: targets }, (_, n) => `${n + 1}${before} ${array.slice(3 * n, 3 * n + 3).join(' ')}`)
  return [
    'Atoms of the benchmark',
    '',
    `${targets} atoms`,
    '1 atom types',
    ...['x', 'y', 'z'].map((axis, n) => `0 ${lengths[n]} ${axis}lo ${axis}hi`),
    '',
    'Masses',
    '',
    '1 1.0',
    '',
    'Atoms',
    '',
    ...rows(position, ' 1'),
    '',
    'Velocities',
    '',
    ...rows(velocity, ''),
    '',
  ].join('\n')
}
