/** The benchmark's commands, and what becomes of errors: one line, with exit code 2 for what was typed. */

import { Command, CommanderError } from 'commander'
import { accuracy } from './commands/accuracy.ts'
import { compare } from './commands/compare.ts'
import { compareRecords } from './commands/compare-records.ts'
import { rivals } from './commands/rivals.ts'
import { scale } from './commands/scale.ts'
import { sweep } from './commands/sweep.ts'
import { transfer } from './commands/transfer.ts'
import { workloads } from './commands/workloads.ts'
import { BadInputError } from './errors.ts'
import { runWithSoftwareGpu } from './node/software-gpu.ts'
import type { Options } from './options.ts'

/** Runs what was typed after `npm run bench --`; sets the exit code of the process. */
export async function commandLine(args: readonly string[]): Promise<void> {
  const program = programOf()
  try {
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof BadInputError) fail(error.message, 2)
    else if (error instanceof CommanderError) {
      if (error.exitCode !== 0)
        fail(
          `${error.message
            .replace(/^error: /, '')
            .replace(/\.$/, '')
            .replace(/\s+/g, ' ')}; see --help`,
          2,
        )
    } else fail(error instanceof Error ? (error.stack ?? error.message) : String(error), 1)
  }
}

function fail(message: string, code: number): void {
  console.error(`bench: ${message}`)
  process.exitCode = code
}

function programOf(): Command {
  const program = new Command('npm run bench --')
    .description('How this machine computes point interactions, backend by backend, and how exact each is.')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .hook('preAction', async (_, command) => {
      const { backends, environments, browser } = command.opts<Partial<Options>>()
      if (browser !== undefined && !environments?.includes('chromium'))
        throw new BadInputError(`--browser "${browser}" has nothing to run: --environments expected chromium too`)
      if (!backends?.includes('webgpu') || !environments?.includes('node')) return
      const code = await runWithSoftwareGpu()
      if (code !== undefined) process.exit(code)
    })
  for (const add of [compare, sweep, scale, accuracy, transfer, workloads, rivals, compareRecords]) add(program)
  return program
}
