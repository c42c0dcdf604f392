/** `tree` and `mesh`: the cost of a tolerance on the processor and its errors, next to all pairs and to rivals. */

import { type Command, Option } from 'commander'
import { installed } from '../../thirdparty/packages.ts'
import { namesOption, type RecordingOptions, recording, toleranceFrom, wholeFrom } from '../arguments/options.ts'
import type { Contender, Sketch } from '../contender.ts'
import type { ToleranceMethod } from '../contenders/whole-call.ts'
import { nodeEnvironment } from '../node/environment.ts'
import type { ProblemSpec } from '../problem.ts'
import { turnsSession } from '../sessions/local-session.ts'
import type { Session } from '../sessions/session.ts'
import { inTurn, meshRivals, mostAllPairs, ourSums, type SumOptions, treeRivals } from '../tree/contenders.ts'
import type { ErrorUnit } from '../tree/errors.ts'
import { sumsJudge } from '../tree/judge.ts'
import { meshTasks, treeLawNames, treeSetNames, treeTasks } from '../tree-tasks.ts'
import { execute } from './execute.ts'

interface Options extends RecordingOptions, SumOptions {
  /** Of `tree` alone. */
  readonly laws?: readonly string[]
  readonly sets?: readonly string[]
  readonly targets: number
  readonly rivals: boolean
}

/** The difference between the two commands. */
interface Sums {
  readonly kind: 'tree' | 'mesh'
  readonly tolerances: readonly number[]
  readonly methods: readonly ToleranceMethod[]
  readonly unit: ErrorUnit
  readonly rivalNames: string
  tasksOf(options: Options): readonly string[]
  rivalsOf(sketch: Sketch, options: SumOptions): readonly Contender[]
}

export function tree(program: Command): Command {
  const command = program
    .command('tree')
    .description(
      'time of a sum with a tolerance, and its errors, next to all pairs and to trees in JavaScript; fails if one is beyond its tolerance',
    )
  recording(command, { sizes: [20_000], duration: 120 })
    .addOption(namesOption('laws', `laws: ${treeLawNames.join(', ')}`, treeLawNames).default(treeLawNames, 'all'))
    .addOption(namesOption('sets', `sets: ${treeSetNames.join(', ')}`, treeSetNames).default(treeSetNames, 'all'))
  return measuringSums(command, {
    kind: 'tree',
    tolerances: [1e-2, 1e-3, 1e-4, 1e-5],
    methods: ['tree'],
    unit: 'terms',
    rivalNames: 'd3-force and ngraph',
    tasksOf: ({ laws = [], sets = [] }) => treeTasks(laws, sets),
    rivalsOf: treeRivals,
  })
}

export function mesh(program: Command): Command {
  const command = program
    .command('mesh')
    .description(
      'time of forces through a mesh, over all images and in open space, and their errors, next to LAMMPS, a tree and all pairs',
    )
  return measuringSums(recording(command, { sizes: [10_000, 100_000], duration: 120 }), {
    kind: 'mesh',
    tolerances: [1e-3, 1e-4, 1e-5],
    methods: ['mesh', 'tree'],
    unit: 'sums',
    rivalNames: 'LAMMPS',
    tasksOf: () => meshTasks,
    rivalsOf: meshRivals,
  })
}

function measuringSums(command: Command, sums: Sums): Command {
  const { kind, tolerances, rivalNames, tasksOf } = sums
  return command
    .addOption(
      new Option('--tolerances <n,...>', 'errors relative to the sum of the sizes of terms')
        .argParser((text) => text.split(',').map(toleranceFrom('tolerances')))
        .default(tolerances, tolerances.map((tolerance) => tolerance.toExponential()).join()),
    )
    .addOption(new Option('--targets <n>', 'targets that are judged').argParser(wholeFrom('targets', 1e6)).default(512))
    .addOption(new Option('--precision <name>', 'our precision').choices(['f32', 'f64']).default('f32'))
    .addOption(new Option('--threads <n>', 'threads; all by default').argParser(wholeFrom('threads', 1024)))
    .option('--no-rivals', `leaves out ${rivalNames}`)
    .action((options: Options) =>
      execute({
        kind,
        options,
        problems: problemsOf(tasksOf(options), options),
        pacing: { warm: 50, span: 1 },
        open: async () => [session(sums, options)],
      }),
    )
}

/** All pairs of many points are extrapolated from fewer, which are then measured, too. */
function problemsOf(tasks: readonly string[], { sizes, seed }: Options): readonly ProblemSpec[] {
  const counts = [...new Set(sizes.flatMap((size) => (size > mostAllPairs ? [mostAllPairs, size] : [size])))]
  return tasks.flatMap((task) => counts.map((count) => ({ what: { task }, count, seed })))
}

function session({ kind, methods, unit, rivalsOf }: Sums, options: Options): Session {
  const { sizes, targets, rivals } = options
  const beside = rivals && (kind === 'mesh' || installed())
  const contenders = (sketch: Sketch, count: number) => {
    if (!sizes.includes(count)) return ourSums(sketch, methods, { ...options, tolerances: [] })
    return [...ourSums(sketch, methods, options), ...(beside ? rivalsOf(sketch, options) : [])]
  }
  return turnsSession(nodeEnvironment(), (problem, { count }) => ({
    groups: inTurn(problem, contenders(problem, count)),
    judge: sumsJudge(problem, targets, unit),
  }))
}
