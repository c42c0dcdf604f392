/** `scale`: ever more points, as far as the time allows, and where one contender overtakes another. */

import type { Command } from 'commander'
import { measuring, type Options } from '../arguments/options.ts'
import { scaling } from '../report/scaling.ts'
import { lawProblems, openBackends } from './backends.ts'
import { execute } from './execute.ts'
import { addNbodyOption, type NbodyOption, withNbodyLines } from './nbody-option.ts'

const sizes = Array.from({ length: 13 }, (_, k) => 256 * 2 ** k)

export function scale(program: Command): Command {
  const command = program
    .command('scale')
    .description('ever more points, to what the time allows, and where one overtakes another')
  return addNbodyOption(measuring(command, { sizes, laws: ['gravity'], duration: 120 })).action(
    (options: Options & NbodyOption) =>
      execute({
        kind: 'scale',
        options,
        problems: lawProblems({ ...options, sizes: options.sizes.toSorted((a, b) => a - b) }),
        ascending: true,
        open: () => openBackends(options),
        table: withNbodyLines(scaling, options),
      }),
  )
}
