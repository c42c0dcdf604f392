// The command `npm run bench:gpu -- calls`: waiting times of a caller on a graphics card.

import { Argument, Command, Option } from 'commander'
import { type RecordFiles, sizesFrom, wholeFrom } from '../../src/arguments/options.ts'
import { BadInputError } from '../../src/errors.ts'
import type { ProblemSpec } from '../../src/problem.ts'
import { loadDawn } from '../dawn.ts'
import { cardOptions, dawnOption, executeOnCard, type Places, type Rounds } from '../options.ts'
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
  const command = new Command('calls')
    .description(
      'whole calls beside CUDA with copies, steps of a simulation, a matrix, and the first call of a process',
    )
    .addOption(
      new Option('--sizes <n,...>', 'numbers of points').argParser(sizesFrom(most)).default(sizes, sizes.join()),
    )
    .addOption(
      new Option('--first <n>', 'which of them is timed in the first call of a process, too')
        .argParser(wholeFrom('first', most))
        .default(65536),
    )
  return cardOptions(command, { sample: 200, minutes: 6 }).action(({ sizes, first, ...rest }: Options) =>
    executeOnCard(rest, (cuda) => callSession(WEBGPU_VERSION, cuda, { points: first, dawn: rest.dawn }), {
      kind: 'calls',
      problems: callProblems(sizes),
      pacing: { warm: settling * rest.sample },
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
