/** `ladder`: gravity on WebGL1 and WebGL2, from the kernel that the documentation of gpu.js suggests to the generated one. */

import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { browserOption, type RecordingOptions, recording } from '../arguments/options.ts'
import { pageSession } from '../node/chromium-session.ts'
import { comparison } from '../report/tables.ts'
import { execute } from './execute.ts'

interface Options extends RecordingOptions {
  readonly browser?: string
  readonly browserFlags?: string
}

const page = fileURLToPath(new URL('../../thirdparty/gpu-js/ladder-page.ts', import.meta.url))

export function ladder(program: Command): Command {
  const command = program
    .command('ladder')
    .description("WebGL: gpu.js' obvious kernel, the best by hand, and the one that is generated")
  return recording(command, { sizes: [1024, 4096, 16384], duration: 120 })
    .addOption(browserOption())
    .option('--browser-flags <flags>', 'flags for that browser, as to choose another rasteriser')
    .action(({ browser, browserFlags = '', ...options }: Options) =>
      execute({
        kind: 'ladder',
        options,
        problems: options.sizes.map((count) => ({ what: { law: 'gravity' }, count, seed: options.seed })),
        open: async () => [
          await pageSession(page, undefined, { browser, flags: browserFlags.split(' ').filter(Boolean) }),
        ],
        table: comparison,
      }),
    )
}
