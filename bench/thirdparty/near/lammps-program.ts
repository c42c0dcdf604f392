/** LAMMPS as a program of the machine: its version, and how it starts on some processes. */

import { spawnSync } from 'node:child_process'

/** The version that LAMMPS reports: `29 Sep 2021`; undefined if it is missing. */
export function lammpsVersion(): string | undefined {
  const { status, stdout } = spawnSync('lmp', ['-h'], { encoding: 'utf8' })
  return status === 0 ? (/Simulator - (\d+ \w+ \d+)/.exec(stdout)?.[1] ?? 'unknown version') : undefined
}

/** The command that runs it on one process for each thread. Its lines are not kept back. */
export function lammpsCommand(threads: number): readonly [program: string, ...args: string[]] {
  const alone = ['stdbuf', '-oL', 'lmp', '-log', 'none', '-nocite'] as const
  if (threads === 1) return [...alone]
  const ranks = ['--mca', 'orte_forward_job_control', '1', '--allow-run-as-root', '--oversubscribe']
  return ['mpirun', ...ranks, '-np', `${threads}`, ...alone]
}

/** One thread for each process. */
export const lammpsEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, OMP_NUM_THREADS: '1' })
