/**
 * `transfer`: the shares of upload, computation and readback in a call, and the gain over plain JavaScript with and without these
 * transfers.
 */

import type { Command } from 'commander'
import { javascript } from '../../thirdparty/javascript.ts'
import { measuring, type Options } from '../arguments/options.ts'
import { transfers } from '../report/transfers.ts'
import { lawProblems, openBackends } from './backends.ts'
import { execute } from './execute.ts'

export function transfer(program: Command): Command {
  const command = program
    .command('transfer')
    .description('upload, computation and readback apart; the gain over JavaScript with and without')
  const defaults = {
    sizes: [1024, 4096],
    laws: ['gravity'],
    backends: ['cpu-wasm', 'webgpu', 'webgl'],
    duration: 40,
  }
  return measuring(command, defaults).action((options: Options) =>
    execute({
      kind: 'transfer',
      options,
      problems: lawProblems(options),
      open: () => openBackends(options, { beside: [javascript('plain', 'f32')] }),
      table: transfers,
    }),
  )
}
