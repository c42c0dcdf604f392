// Options of the commands of `npm run bench:gpu`, and a run with them.

import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { type RecordFiles, recordFiles, wholeFrom } from '../src/arguments/options.ts'
import { execute, type Task } from '../src/commands/execute.ts'
import { BadInputError } from '../src/errors.ts'
import { progressLines } from '../src/node/progress.ts'
import { typedCommand } from '../src/node/typed-command.ts'
import type { Session } from '../src/sessions/session.ts'
import { type Cuda, openCuda } from './cuda.ts'
import { loadDawn } from './dawn.ts'

/** Programs on this machine. */
export interface Places {
  readonly nvcc?: string
  readonly rivals?: string
  readonly dawn?: string
}

export interface Rounds {
  readonly rounds: number
  readonly sample: number
  readonly minutes: number
}

/**
 * Milliseconds of warming up. The first entry needs more, because the device idled while shaders were compiled: after half a second, an
 * H200 was seen at a third of its clock rate. With short samples, the warm-up is short, too.
 */
const [wake, warm] = [2000, 60]
const wakeSamples = 100

/** The options of both commands. @param usual the default values */
export function cardOptions(command: Command, usual: Pick<Rounds, 'sample' | 'minutes'>): Command {
  command
    .addOption(new Option('--rounds <n>', 'samples of each plan').argParser(wholeFrom('rounds', 1000)).default(5))
    .addOption(
      new Option('--sample <ms>', 'length of a sample').argParser(wholeFrom('sample', 10_000)).default(usual.sample),
    )
    .addOption(
      new Option('--minutes <n>', 'after which it ends with what there is')
        .argParser(wholeFrom('minutes', 1440))
        .default(usual.minutes),
    )
    .option('--nvcc <file>', 'the CUDA compiler, nvcc if left out; none leaves CUDA out')
    .addOption(new Option('--rivals <file>', 'bench/gpu/cuda/rivals.cu, compiled').argParser(fileFrom('rivals')))
    .addOption(dawnOption())
  return recordFiles(command)
}

export const dawnOption = (): Option =>
  new Option('--dawn <file>', 'dawn.node of the package webgpu, where that is not installed').argParser(
    fileFrom('dawn'),
  )

/** Runs a command with these options. @param sessionOf makes the contenders, when Dawn is loaded */
export const executeOnCard = (
  { rounds, sample, minutes, nvcc, rivals, dawn, ...files }: RecordFiles & Places & Rounds,
  sessionOf: (cuda: Cuda) => Session,
  { pacing, ...task }: Pick<Task, 'kind' | 'problems' | 'pacing' | 'judge'>,
): Promise<void> =>
  execute({
    ...task,
    command: commandLine(),
    options: files,
    pacing: { warm, wake: Math.min(wake, wakeSamples * sample), rounds, span: sample, ...pacing },
    minutes,
    progress: progressLines(),
    async open() {
      await loadDawn(dawn)
      return [sessionOf(await openCuda(nvcc, rivals))]
    },
  })

function fileFrom(option: string): (file: string) => string {
  return (file) => {
    if (!existsSync(file)) throw new BadInputError(`--${option} "${file}": there is no such file`)
    return file
  }
}

/** The command line for a record, without the paths of programs on this machine. They do not affect the measurement. */
function commandLine(): string {
  const places = ['--nvcc', '--rivals', '--dawn']
  const args = process.argv.slice(2)
  const kept = args.filter((arg, n) => !places.includes(arg.split('=')[0] ?? '') && !places.includes(args[n - 1] ?? ''))
  return typedCommand('npm run bench:gpu --', kept)
}
