/** `rivals`: the CPU backend next to its alternatives, on the same points, in the same run. */

import type { Command } from 'commander'
import { installed } from '../../thirdparty/packages.ts'
import { openRivals } from '../../thirdparty/rivals.ts'
import { problemsOption, type RecordingOptions, recording } from '../arguments/options.ts'
import { nodeEnvironment } from '../node/environment.ts'
import { sessionOf } from '../sessions/local-session.ts'
import { execute } from './execute.ts'

/** The laws and tasks that rivals know. */
const laws = ['gravity', 'coulomb', 'lennard-jones-box', 'gaussian', 'point-gravity', 'planar-gravity']
const tasks = ['argmin', 'logsumexp', 'nearest(8)', 'matrix']

interface Options extends RecordingOptions {
  readonly problems: readonly string[]
}

export function rivals(program: Command): Command {
  const command = program
    .command('rivals')
    .description('the CPU backend beside JavaScript, gpu.js, tensors, trees and C')
  return recording(command, { sizes: [1024, 4096], duration: 120 })
    .addOption(problemsOption([...laws, ...tasks]))
    .action((options: Options) =>
      execute({
        kind: 'rivals',
        options,
        problems: options.problems.flatMap((name) => {
          const what = laws.includes(name) ? { law: name } : { task: name }
          return options.sizes.map((count) => ({ what, count, seed: options.seed }))
        }),
        async open() {
          installed()
          const { cc, of, dispose } = await openRivals()
          const { versions, ...environment } = nodeEnvironment()
          return [sessionOf({ ...environment, versions: { ...versions, ...(cc && { cc }) } }, of, dispose)]
        },
      }),
    )
}
