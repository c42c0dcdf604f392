/** `steps`: steps of a simulation beside the forces that they need, with all arrays on the device. */

import { type Command, Option } from 'commander'
import { backends } from 'manybody'
import { type RecordingOptions, recording } from '../arguments/options.ts'
import { Devices } from '../contenders/backend.ts'
import { residentContender } from '../contenders/resident.ts'
import { simulationContender } from '../contenders/simulation.ts'
import { nodeEnvironment } from '../node/environment.ts'
import { comparison } from '../report/tables.ts'
import { sessionOf } from '../sessions/local-session.ts'
import type { Session } from '../sessions/session.ts'
import { execute } from './execute.ts'

interface Options extends RecordingOptions {
  readonly backend: string
}

export function steps(program: Command): Command {
  const command = program.command('steps').description('a step of a simulation beside the forces that it needs')
  return recording(command, { sizes: [16_384], duration: 20 })
    .addOption(new Option('--backend <name>', 'where').choices(['cpu-wasm', 'webgpu', 'reference']).default('cpu-wasm'))
    .action((options: Options) =>
      execute({
        kind: 'steps',
        options,
        problems: options.sizes.map((count) => ({ what: { law: 'gravity' }, count, seed: options.seed })),
        open: async () => [session(options)],
        table: comparison,
      }),
    )
}

function session({ backend: wanted }: Options): Session {
  const backend = backends().find(({ name }) => name === wanted)
  if (!backend) throw new Error(`no backend is called ${wanted}`)
  const devices = new Devices()
  const contenders = [
    residentContender(`${wanted}, forces alone`, backend, devices),
    simulationContender(`${wanted}, simulate`, backend),
  ]
  return sessionOf(
    nodeEnvironment(),
    () => contenders,
    () => devices.dispose(),
  )
}
