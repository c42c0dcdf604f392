// Runs the benchmark's command line in this process, which saves the start of a new one.

import { commandLine } from '../../bench/src/commands/command-line.ts'

/** The end of a command: its exit code and its output. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the arguments of `npm run bench --`. */
export const told = (...args: string[]): Promise<Ended> => listened(() => commandLine(args))

/** The printed output and the exit code. */
export async function listened(work: () => Promise<void>): Promise<Ended> {
  const saved = { log: console.log, error: console.error, code: process.exitCode }
  const said = { stdout: '', stderr: '' }
  process.exitCode = 0
  console.log = (text: string) => {
    said.stdout += `${text}\n`
  }
  console.error = (text: string) => {
    said.stderr += `${text}\n`
  }
  try {
    await work()
    return { code: Number(process.exitCode), ...said }
  } finally {
    Object.assign(console, { log: saved.log, error: saved.error })
    process.exitCode = saved.code
  }
}
