/** The commands of `npm run bench`. */

import { Command } from 'commander'
import { accuracy } from '../commands/accuracy.ts'
import { choice } from '../commands/choice.ts'
import { compare } from '../commands/compare.ts'
import { compareRecords } from '../commands/compare-records.ts'
import { ladder } from '../commands/ladder.ts'
import { rivals } from '../commands/rivals.ts'
import { scale } from '../commands/scale.ts'
import { steps } from '../commands/steps.ts'
import { sweep } from '../commands/sweep.ts'
import { transfer } from '../commands/transfer.ts'
import { d3 } from '../commands/trees/d3.ts'
import { tree } from '../commands/trees/tree.ts'
import { treeErrors } from '../commands/trees/tree-errors.ts'
import { treeMemory } from '../commands/trees/tree-memory.ts'
import { workloads } from '../commands/workloads.ts'
import { BadInputError } from '../errors.ts'
import { mesh } from '../mesh/command.ts'
import { near } from '../near/command.ts'
import { runWithSoftwareGpu } from '../node/software-gpu.ts'
import { runCommand } from './command-errors.ts'
import type { Options } from './options.ts'

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
      const { backends, backend, environments, browser } = command.opts<
        Partial<Options> & { readonly backend?: string }
      >()
      if (browser !== undefined && environments && !environments.includes('chromium'))
        throw new BadInputError(`--browser "${browser}" has nothing to run: --environments expected chromium too`)
      if (backend !== 'webgpu' && (!backends?.includes('webgpu') || !environments?.includes('node'))) return
      const code = await runWithSoftwareGpu()
      if (code !== undefined) process.exit(code)
    })
  const all = [
    compare,
    sweep,
    scale,
    accuracy,
    transfer,
    workloads,
    choice,
    steps,
    near,
    ladder,
    rivals,
    tree,
    treeErrors,
    treeMemory,
    mesh,
    d3,
    compareRecords,
  ]
  for (const add of all) add(program)
  return program
}
