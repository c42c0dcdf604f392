// The command `npm run bench:gpu -- calls`: waiting times of a caller on a graphics card.

import { Argument, Command, Option } from 'commander'
import { type RecordFiles, recordFiles, sizesFrom, wholeFrom } from '../../src/arguments/options.ts'
import { execute } from '../../src/commands/execute.ts'
import { BadInputError } from '../../src/errors.ts'
import { progressLines } from '../../src/node/progress.ts'
import type { ProblemSpec } from '../../src/problem.ts'
import { openCuda } from '../cuda.ts'
import { loadDawn } from '../dawn.ts'
import { commandLine, cudaOptions, dawnOption, type Places, pacingOf, pacingOptions, type Rounds } from '../options.ts'
import { timeFirstCall } from './first-call.ts'
import { callProblems, callSession } from './session.ts'

const sizes = [1024, 4096, 16384, 65536, 262144, 1048576]
const most = 2 ** 21

interface Options extends RecordFiles, Places, Rounds {
  readonly sizes: readonly number[]
  readonly first: number
}

/**
 * Samples before the first that counts. In its first seconds, V8 still compiles the host's part of a call, which is most of a short call.
 */
const settling = 10

export function callsCommand(): Command {
  const command = new Command('calls').description(
    'whole calls beside CUDA with copies, steps of a simulation, a matrix, and the first call of a process',
  )
  const own = [
    new Option('--sizes <n,...>', 'numbers of points').argParser(sizesFrom(most)).default(sizes, sizes.join()),
    new Option('--first <n>', 'which of them is timed in the first call of a process, too')
      .argParser(wholeFrom('first', most))
      .default(65536),
  ]
  for (const option of [...own, ...pacingOptions({ sample: 200, minutes: 6 }), ...cudaOptions(), dawnOption()])
    command.addOption(option)
  return recordFiles(command).action(
    ({ sizes, first, rounds, sample, minutes, nvcc, rivals, dawn, ...files }: Options) =>
      execute({
        kind: 'calls',
        command: commandLine(),
        options: files,
        problems: callProblems(sizes),
        pacing: { ...pacingOf({ rounds, sample }), warm: settling * sample },
        minutes,
        progress: progressLines(),
        async open() {
          await loadDawn(dawn)
          return [callSession(WEBGPU_VERSION, await openCuda(nvcc, rivals), { points: first, dawn })]
        },
      }),
  )
}

/** The process that takes one sample. */
export function firstCallCommand(): Command {
  return new Command('first-call')
    .description('times createEngine() and the first call of this process, and prints both as JSON')
    .addArgument(
      new Argument('<problem>', 'as JSON: {"what":{"law":"gravity"},"count":65536,"seed":1}').argParser(specFrom),
    )
    .argument('<file>', 'for the results, float32 numbers')
    .addOption(dawnOption())
    .action(async (spec: ProblemSpec, answers: string, { dawn }: Places) => {
      await loadDawn(dawn)
      await timeFirstCall(spec, answers)
    })
}

function specFrom(text: string): ProblemSpec {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadInputError(`first-call expected a problem as JSON, got "${text}"`)
  }
}
