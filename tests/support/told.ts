// Runs the benchmark's command line in this process, which saves the start of a new one; and waits for one that runs as a process.

import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { commandLine } from '../../bench/src/commands/command-line.ts'

/** The end of a command: its exit code and its output. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the arguments of `npm run bench --`. */
export const told = (...args: string[]): Promise<Ended> => listened(() => commandLine(args))

/** The end of a process. `onOutput` gets all that it has printed so far. */
export function ended(child: ChildProcessWithoutNullStreams, onOutput = (_text: string): void => {}): Promise<Ended> {
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (part) => {
      text[name] += part
      onOutput(text[name])
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...text }))
  })
}

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
