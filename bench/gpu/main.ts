// The command of `npm run bench:gpu`, in its bundle: the benchmark in Node on a graphics card, with arrays that stay on it,
// next to CUDA. It first checks that the backends compute correctly on that card.

import { existsSync } from 'node:fs'
import { Command, Option } from 'commander'
import { runCommand } from '../src/arguments/command-errors.ts'
import { namesFrom, type RecordFiles, recordFiles, sizesFrom, wholeFrom } from '../src/arguments/options.ts'
import { execute } from '../src/commands/execute.ts'
import { BadInputError } from '../src/errors.ts'
import { progressLines } from '../src/node/progress.ts'
import { typedCommand } from '../src/node/typed-command.ts'
import type { JudgedBackend } from '../src/record.ts'
import { comparison } from '../src/report/tables.ts'
import { openCuda } from './cuda.ts'
import { loadDawn } from './dawn.ts'
import { judgeBackends, judgedLines } from './judge-backends.ts'
import { gpuProblems, gpuSession, type PlanSet, planSets, subjectNames } from './session.ts'

interface Options extends RecordFiles {
  readonly sizes: readonly number[]
  readonly trees: readonly number[]
  readonly laws: readonly string[]
  readonly set: PlanSet
  readonly rounds: number
  readonly sample: number
  readonly minutes: number
  readonly judge: Judging
  readonly nvcc?: string
  readonly rivals?: string
  readonly dawn?: string
}

const sizes = [4096, 16384, 65536, 262144, 1048576]
const treeSizes = [1e6, 1e7]

/** What is found of backends: nothing, or only that. */
const judgings = ['all', 'trees', 'none', 'only'] as const
type Judging = (typeof judgings)[number]

/**
 * Milliseconds of warming up. The first entry needs more, because the device idled while shaders were compiled: after half a
 * second, an H200 was seen at a third of its clock rate.
 */
const [wake, warm] = [2000, 60]

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
      'the conformance suite, random laws and sums with a tolerance on this GPU first: all, these sums (trees), none, or only them',
    )
      .argParser(nameFrom('judge', judgings))
      .default('all'),
  )
  .addOption(new Option('--rounds <n>', 'samples of each plan').argParser(wholeFrom('rounds', 1000)).default(5))
  .addOption(new Option('--sample <ms>', 'length of a sample').argParser(wholeFrom('sample', 10_000)).default(20))
  .addOption(
    new Option('--minutes <n>', 'after which it ends with what there is')
      .argParser(wholeFrom('minutes', 1440))
      .default(8),
  )
  .option('--nvcc <file>', 'the CUDA compiler, nvcc if left out; none leaves CUDA out')
  .addOption(new Option('--rivals <file>', 'bench/gpu/cuda/rivals.cu, compiled').argParser(fileFrom('rivals')))
  .addOption(
    new Option('--dawn <file>', 'dawn.node of the package webgpu, where that is not installed').argParser(
      fileFrom('dawn'),
    ),
  )
  .action(bench)
recordFiles(command)

function nameFrom(option: string, known: readonly string[]): (text: string) => string | undefined {
  return (text) => namesFrom(option, known)(text)[0]
}

function fileFrom(option: string): (file: string) => string {
  return (file) => {
    if (!existsSync(file)) throw new BadInputError(`--${option} "${file}": there is no such file`)
    return file
  }
}

function bench({
  sizes,
  trees,
  laws,
  set,
  rounds,
  sample,
  minutes,
  judge,
  nvcc,
  rivals,
  dawn,
  ...files
}: Options): Promise<void> {
  return execute({
    kind: 'gpu',
    command: typedCommand('npm run bench:gpu --', withoutPlaces(process.argv.slice(2))),
    options: files,
    problems: judge === 'only' ? [] : gpuProblems(laws, sizes, trees),
    pacing: { warm, wake, rounds, span: sample },
    minutes,
    progress: progressLines(),
    async open() {
      await loadDawn(dawn)
      return [gpuSession(WEBGPU_VERSION, set, await openCuda(nvcc, rivals))]
    },
    ...(judge === 'none' ? {} : { judge: (signal) => judged(signal, judge === 'trees') }),
    table: comparison,
  })
}

async function* judged(signal: AbortSignal, onlyTrees: boolean): AsyncGenerator<JudgedBackend> {
  for await (const one of judgeBackends(signal, onlyTrees)) {
    for (const line of judgedLines(one)) console.log(line)
    yield one
  }
}

/** The command line without the paths of programs on this machine, which do not affect what is measured. */
function withoutPlaces(args: readonly string[]): readonly string[] {
  const places = ['--nvcc', '--rivals', '--dawn']
  return args.filter((arg, n) => !places.includes(arg.split('=')[0] ?? '') && !places.includes(args[n - 1] ?? ''))
}

await runCommand(command, process.argv.slice(2))
// Devices and drivers may keep threads.
process.exit()
