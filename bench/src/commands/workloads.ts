/** `workloads`: workloads other than sums over pairs: matrices, reductions, neighbours, cells and grids. */

import type { Command } from 'commander'
import { measuring, type Options } from '../arguments/options.ts'
import { comparison } from '../report/tables.ts'
import { taskNames } from '../tasks.ts'
import { openBackends } from './backends.ts'
import { execute } from './execute.ts'

export function workloads(program: Command): Command {
  const command = program
    .command('workloads')
    .description('matrices, reductions, neighbours, cell indices, grid gradients')
  return measuring(command, { sizes: [2048], tasks: taskNames, duration: 60 }).action((options: Options) =>
    execute({
      kind: 'workloads',
      options,
      problems: options.tasks.flatMap((task) =>
        options.sizes.map((count) => ({ what: { task }, count, seed: options.seed })),
      ),
      open: () => openBackends(options),
      table: comparison,
    }),
  )
}
