/** `compare`: all reachable backends side by side on the same points, in Node and in a headless browser. */

import type { Command } from 'commander'
import { measuring, type Options } from '../arguments/options.ts'
import { comparison } from '../report/tables.ts'
import { lawProblems, openBackends } from './backends.ts'
import { execute } from './execute.ts'
import { addNbodyOption, type NbodyOption, withNbodyLines } from './nbody-option.ts'

export function compare(program: Command): Command {
  const command = program.command('compare').description('all reachable backends side by side, in Node and Chromium')
  return addNbodyOption(measuring(command, { sizes: [1024, 4096], laws: ['gravity'], duration: 60 })).action(
    (options: Options & NbodyOption) =>
      execute({
        kind: 'compare',
        options,
        problems: lawProblems(options),
        open: () => openBackends(options),
        table: withNbodyLines(comparison, options),
      }),
  )
}
