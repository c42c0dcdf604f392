/** LAMMPS as a program of the machine, if it is installed: a process that has its particles and waits for steps. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program } from './program.ts'

/** The version that LAMMPS reports: `29 Sep 2021`. @throws Error if it is missing */
export function lammpsVersion(): string {
  const { status, stdout } = spawnSync('lmp', ['-h'], { encoding: 'utf8' })
  if (status !== 0) throw new Error('LAMMPS is not installed: install the Debian package lammps')
  return /Simulator - (\d+ \w+ \d+)/.exec(stdout)?.[1] ?? 'unknown version'
}

/** Particles of mass 1 as LAMMPS reads them, with every digit. */
export interface LammpsData {
  readonly lengths: readonly number[]
  /** For each particle, everything behind its number and type. */
  readonly atoms: readonly string[]
  /** For each particle. */
  readonly velocities?: readonly string[]
}

export class LammpsProcess {
  readonly #folder = mkdtempSync(join(tmpdir(), 'manybody-lammps-'))
  readonly #program: Program
  readonly #ranks: boolean
  readonly #count: number

  /**
   * @param style the style of its atoms
   * @param setup the commands that follow the particles
   * @param threads runs one process for each thread
   */
  constructor(style: string, data: LammpsData, setup: string, threads: number) {
    const file = join(this.#folder, 'atoms.data')
    writeFileSync(file, textOf(data))
    this.#count = data.atoms.length
    this.#ranks = threads > 1
    const [program, ...args] = commandFor(threads)
    this.#program = new Program(program, args, { OMP_NUM_THREADS: '1' })
    this.#program.write(`units lj\natom_style ${style}\nread_data ${file}\n${setup}\nthermo 1000000\n`)
  }

  /** Sets up, and computes forces without a step. @returns the forces, and the lines that LAMMPS said */
  async start(): Promise<{ readonly forces: Float64Array; readonly said: string }> {
    const dump = join(this.#folder, 'forces.dump')
    const modified = 'modify sort id format float %.17g'
    const said = await this.#ask(`run 0\nwrite_dump all custom ${dump} fx fy fz ${modified}\n`)
    const rows = readFileSync(dump, 'utf8')
      .split('\n')
      .slice(9, 9 + this.#count)
    return { said, forces: Float64Array.from(rows.flatMap((line) => line.trim().split(' ').map(Number))) }
  }

  /** Runs steps. @returns the milliseconds of one step */
  async steps(count: number): Promise<number> {
    const said = await this.#ask(`run ${count}\n`)
    return (1000 * Number(/Loop time of (\S+) on/.exec(said)?.[1])) / count
  }

  end(): void {
    this.#send('SIGCONT')
    this.#program.end()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #ask(commands: string): Promise<string> {
    this.#send('SIGCONT')
    const isDone = (parts: readonly Buffer[]) => /^done$/m.test(Buffer.concat(parts).toString())
    const said = await this.#program.ask(`${commands}print done\n`, isDone)
    this.#send('SIGTSTP')
    return said.toString()
  }

  /**
   * Stops the ranks, or lets them continue. Ranks that wait for the next command spin. They would take a processor from the next
   * contenders.
   */
  #send(signal: 'SIGTSTP' | 'SIGCONT'): void {
    if (this.#ranks) this.#program.process.kill(signal)
  }
}

/** The command that runs it on one process for each thread. Its lines are not kept back. */
function commandFor(threads: number): readonly [program: string, ...args: string[]] {
  const alone = ['stdbuf', '-oL', 'lmp', '-log', 'none', '-nocite'] as const
  if (threads === 1) return [...alone]
  const ranks = ['--mca', 'orte_forward_job_control', '1', '--allow-run-as-root', '--oversubscribe']
  return ['mpirun', ...ranks, '-np', `${threads}`, ...alone]
}

function textOf({ lengths, atoms, velocities }: LammpsData): string {
  const numbered = (rows: readonly string[], type: string) => rows.map((row, n) => `${n + 1}${type} ${row}`)
  return [
    'Particles of the benchmark',
    '',
    `${atoms.length} atoms`,
    '1 atom types',
    ...['x', 'y', 'z'].map((axis, n) => `0 ${lengths[n]} ${axis}lo ${axis}hi`),
    '',
    ...['Masses', '', '1 1.0', ''],
    ...['Atoms', '', ...numbered(atoms, ' 1'), ''],
    ...(velocities ? ['Velocities', '', ...numbered(velocities, ''), ''] : []),
  ].join('\n')
}
