/** `choice`: the loop over all pairs beside the loop over blocks, and the backend's own choice for the points of a run. */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import type { Precision } from '@manybody/core'
import { type Command, Option } from 'commander'
import {
  namesFrom,
  precisionOption,
  problemsOption,
  type RecordingOptions,
  recording,
  sizesFrom,
} from '../arguments/options.ts'
import { Devices } from '../contenders/backend.ts'
import { choiceContenders } from '../contenders/choices.ts'
import { cutoffTaskOf, nearNames } from '../cutoff-tasks.ts'
import { nodeEnvironment } from '../node/environment.ts'
import { turnsSession } from '../sessions/local-session.ts'
import type { Session } from '../sessions/session.ts'
import { execute } from './execute.ts'

interface Options extends RecordingOptions {
  readonly problems: readonly string[]
  readonly near: readonly string[]
  readonly precision: readonly Precision[]
  readonly threads: readonly number[]
}

export function choice(program: Command): Command {
  const command = program
    .command('choice')
    .description('all pairs beside blocks of near points on the processor, and which it chooses')
  return recording(command, { sizes: [64, 128, 256, 512, 1024, 2048, 4096, 16384], duration: 180 })
    .addOption(problemsOption(nearNames))
    .addOption(
      new Option('--near <n,...>', 'points within the cutoff of each, or a percentage of all')
        .argParser(namesFrom('near', ['20', '55', '150', '10%', '30%']))
        .default(['20', '55', '30%'], '20,55,30%'),
    )
    .addOption(precisionOption())
    .addOption(new Option('--threads <n,...>', 'threads').argParser(sizesFrom(64, 'threads')).default([1], '1'))
    .action((options: Options) =>
      execute({
        kind: 'choice',
        options,
        problems: options.problems.flatMap((name) =>
          options.near.flatMap((near) =>
            options.sizes
              .map((count) => ({ what: { task: `${name} near ${near}` }, count, seed: options.seed }))
              .filter(({ what, count }) => count > mostKept(what.task, count)),
          ),
        ),
        pacing: { warm: 150, span: 3 },
        open: async () => [session(options)],
      }),
    )
}

/** Milliseconds until the engine has compiled the code that all runs share. */
const firstWake = 1500

/** The number of neighbours that a task keeps for each point. There must be more points. */
function mostKept(task: string, count: number): number {
  return cutoffTaskOf(task, count)?.workload.k ?? 0
}

function session({ precision, threads }: Options): Session {
  const devices = new Devices()
  return turnsSession(
    nodeEnvironment(),
    (_, spec) => ({
      groups: [
        precision.flatMap((precision) =>
          threads.flatMap((threads) => choiceContenders(spec, cpuWasm(), { precision, threads }, devices)),
        ),
      ],
    }),
    { wake: firstWake, dispose: () => devices.dispose() },
  )
}
