/** The benchmark's command line: `npm run bench -- <command>`. */

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

const program = new Command('npm run bench --')
  .description('How this machine computes point interactions, backend by backend, and how exact each is.')
  .exitOverride()
  .configureOutput({ outputError: () => {} })
  .hook('preAction', async (_, command) => {
    const { backends, environments } = command.opts<Partial<Options>>()
    if (!backends?.includes('webgpu') || !environments?.includes('node')) return
    const code = await runWithSoftwareGpu()
    if (code !== undefined) process.exit(code)
  })
for (const add of [compare, sweep, scale, accuracy, transfer, workloads, rivals, compareRecords]) add(program)

try {
  if (process.argv.length <= 2) program.outputHelp()
  else await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError && error.exitCode === 0) process.exitCode = 0
  else {
    const bad = error instanceof CommanderError || error instanceof BadInputError
    const message = error instanceof Error ? error.message.replace(/^error: /, '') : String(error)
    console.error(`bench: ${message}${bad ? '; see --help' : ''}`)
    process.exitCode = bad ? 2 : 1
  }
}
// Devices and drivers may keep threads.
process.exit()
