/** The commands of `npm run bench`. */

import { Command } from 'commander'
import { runCommand } from '../arguments/command-errors.ts'
import type { Options } from '../arguments/options.ts'
import { BadInputError } from '../errors.ts'
import { runWithSoftwareGpu } from '../node/software-gpu.ts'
import { choice } from './choice.ts'
import { compareRecords } from './compare-records.ts'
import { measuringCommands } from './measuring.ts'
import { near } from './near.ts'
import { rivals } from './rivals.ts'
import { mesh, tree } from './tree.ts'

/** Runs the command that follows `npm run bench --`, and sets the exit code of the process. */
export async function commandLine(args: readonly string[]): Promise<void> {
  const program = programOf()
  if (args.length === 0) program.outputHelp()
  else await runCommand(program, args)
}

function programOf(): Command {
  const program = new Command('npm run bench --')
    .description('How this machine computes point interactions, backend by backend, and how exact each is.')
    .helpCommand(false)
    .hook('preAction', async (_, command) => {
      const { backends, environments, browser } = command.opts<Partial<Options>>()
      if (browser !== undefined && environments && !environments.includes('chromium'))
        throw new BadInputError(`--browser "${browser}" has nothing to run: --environments expected chromium too`)
      if (!backends?.includes('webgpu') || !environments?.includes('node')) return
      const code = await runWithSoftwareGpu()
      if (code !== undefined) process.exit(code)
    })
  const all = [measuringCommands, choice, near, rivals, tree, mesh, compareRecords]
  for (const add of all) add(program)
  return program
}
