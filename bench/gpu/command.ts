// The command of `npm run bench:gpu`: the benchmark in Node on a graphics card, with arrays that stay on it, next to CUDA. The caller brings
// the judge of the backends on that card.

import { Command, Option } from 'commander'
import { namesFrom, type RecordFiles, sizesFrom } from '../src/arguments/options.ts'
import { BadInputError } from '../src/errors.ts'
import type { JudgedBackend } from '../src/record.ts'
import { callsCommand, firstCallCommand } from './calls/command.ts'
import { framesCommand } from './frames.ts'
import { cardOptions, executeOnCard, type Places, type Rounds } from './options.ts'
import { gpuProblems, gpuSession, nearNames, type PlanSet, planSets, subjectNames } from './session.ts'

interface Options extends RecordFiles, Places, Rounds {
  readonly sizes: readonly number[]
  readonly trees: readonly number[]
  readonly laws: readonly string[]
  readonly set: PlanSet
  readonly judge: Judging
}

const sizes = [4096, 16384, 65536, 262144, 1048576]
const treeSizes = [1e6, 1e7]

/** How much of the backends to judge: everything, one part, or nothing. With `only` and `blocks`, nothing is timed. */
const judgings = ['all', 'trees', 'blocks', 'none', 'only'] as const
type Judging = (typeof judgings)[number]

/** Everything, or one part of it. */
export type Judged = Exclude<Judging, 'none' | 'only'>

/** Yields a verdict for each backend when it is done. */
export type Judge = (signal: AbortSignal, what: Judged) => AsyncGenerator<JudgedBackend>

export function gpuCommand(judge: Judge): Command {
  const command = new Command('npm run bench:gpu --')
    .description(
      'WebGPU beside CUDA on the GPU of this machine: variants by block size, laws, steps, other workloads, all checked',
    )
    .addOption(
      new Option('--sizes <n,...>', 'numbers of points').argParser(sizesFrom(2 ** 21)).default(sizes, sizes.join()),
    )
    .addOption(
      new Option('--trees <n,...>', 'numbers of points of the sums with a tolerance, a law of its own')
        .argParser(sizesFrom(2e7, 'trees'))
        .default(treeSizes, treeSizes.join()),
    )
    .addOption(
      new Option('--laws <name,...>', `of ${subjectNames.join(', ')}`)
        .argParser(namesFrom('laws', subjectNames))
        .default(subjectNames, 'all'),
    )
    .addOption(
      new Option('--set <name>', 'plans: chosen by the backend, or also the best known, the ladder of variants, or all')
        .argParser(nameFrom('set', planSets))
        .default('all'),
    )
    .addOption(
      new Option(
        '--judge <what>',
        'the conformance suite, random laws and sums with a tolerance on this GPU first: all, these sums (trees) or none; or nothing else: only all of them, or thousands of problems by blocks (blocks)',
      )
        .argParser(nameFrom('judge', judgings))
        .default('all'),
    )
    .enablePositionalOptions()
    .hook('preSubcommand', refuseOptions)
    .action((options: Options) => bench(options, judge))
  cardOptions(command, { sample: 20, minutes: 8 })
  for (const one of [nearCommand(), callsCommand(), framesCommand(), firstCallCommand()]) command.addCommand(one)
  return command
}

function nearCommand(): Command {
  const command = new Command('near')
    .description('near points beside CUDA with cells and Verlet lists: forces, steps of a liquid, the nearest, counts')
    .addOption(
      new Option('--sizes <n,...>', 'numbers of points').argParser(sizesFrom(2 ** 21)).default([65536, 1048576]),
    )
  return cardOptions(command, { sample: 20, minutes: 6 }).action(({ sizes, ...rest }: Omit<Options, 'trees'>) =>
    executeOnCard(rest, (cuda) => gpuSession(WEBGPU_VERSION, 'chosen', cuda), {
      kind: 'gpu',
      problems: gpuProblems(nearNames, sizes, []),
    }),
  )
}

function refuseOptions(benchmark: Command, named: Command): void {
  const given = benchmark.options.find((option) => benchmark.getOptionValueSource(option.attributeName()) === 'cli')
  if (given)
    throw new BadInputError(
      `"${given.long}" has no effect on "${named.name()}" here: give options after the name of the command`,
    )
}

function nameFrom(option: string, known: readonly string[]): (text: string) => string | undefined {
  return (text) => namesFrom(option, known)(text)[0]
}

function bench({ sizes, trees, laws, set, judge: judging, ...rest }: Options, judge: Judge): Promise<void> {
  return executeOnCard(rest, (cuda) => gpuSession(WEBGPU_VERSION, set, cuda), {
    kind: 'gpu',
    problems: judging === 'only' || judging === 'blocks' ? [] : gpuProblems(laws, sizes, trees),
    ...(judging === 'none' ? {} : { judge: (signal) => judge(signal, judging === 'only' ? 'all' : judging) }),
  })
}
