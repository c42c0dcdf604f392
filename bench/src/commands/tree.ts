/** `tree`: the cost of a tolerance on the processor and its errors, for laws and sets of points, next to all pairs and to trees in JavaScript. */

import { type Command, Option } from 'commander'
import { install } from '../../thirdparty/packages.ts'
import { namesOption, type RecordingOptions, recording, toleranceFrom, wholeFrom } from '../arguments/options.ts'
import { toleranceMethods } from '../contenders/whole-call.ts'
import { BadInputError } from '../errors.ts'
import { nodeEnvironment } from '../node/environment.ts'
import { type ProblemSpec, sketchOf } from '../problem.ts'
import { toleranceTable } from '../report/tolerances.ts'
import { turnsSession } from '../sessions/local-session.ts'
import type { Session } from '../sessions/session.ts'
import { mostAllPairs, type TreeOptions, treeContenders } from '../tree/contenders.ts'
import { isOverImages } from '../tree/errors.ts'
import { sumsJudge } from '../tree/judge.ts'
import { treeLawNames, treeSetNames, treeTasks } from '../tree-tasks.ts'
import { execute } from './execute.ts'

interface Options extends RecordingOptions, TreeOptions {
  readonly laws: readonly string[]
  readonly sets: readonly string[]
  readonly targets: number
}

export function tree(program: Command): Command {
  const command = program
    .command('tree')
    .description('time of a sum with a tolerance, and its errors, next to all pairs and to trees in JavaScript')
  return recording(command, { sizes: [20_000], duration: 120 })
    .addOption(namesOption('laws', `laws: ${treeLawNames.join(', ')}`, treeLawNames).default(treeLawNames, 'all'))
    .addOption(namesOption('sets', `sets: ${treeSetNames.join(', ')}`, treeSetNames).default(treeSetNames, 'all'))
    .addOption(
      new Option('--tolerances <n,...>', 'errors relative to the sum of the sizes of terms')
        .argParser((text) => text.split(',').map(toleranceFrom('tolerances')))
        .default([1e-2, 1e-3, 1e-4, 1e-5], '1e-2,1e-3,1e-4,1e-5'),
    )
    .addOption(namesOption('methods', 'our methods: tree, mesh', Object.keys(toleranceMethods), ['tree']))
    .addOption(new Option('--targets <n>', 'targets that are judged').argParser(wholeFrom('targets', 1e6)).default(512))
    .addOption(new Option('--precision <name>', 'our precision').choices(['f32', 'f64']).default('f32'))
    .addOption(new Option('--threads <n>', 'threads; all by default').argParser(wholeFrom('threads', 1024)))
    .option('--no-rivals', 'leaves out d3-force and ngraph')
    .action((options: Options) =>
      execute({
        kind: 'tree',
        options,
        problems: problemsOf(options),
        pacing: { warm: 50, span: 1 },
        open: async () => [session(options)],
        table: toleranceTable,
      }),
    )
}

/** All pairs of many points are extrapolated from fewer, which are then measured, too. @throws BadInputError if nothing is left */
function problemsOf({ laws, sets, methods, sizes, seed }: Options): readonly ProblemSpec[] {
  const counts = [...new Set(sizes.flatMap((size) => (size > mostAllPairs ? [mostAllPairs, size] : [size])))]
  const problems = treeTasks(laws, sets).flatMap((task) => counts.map((count) => ({ what: { task }, count, seed })))
  const possible = problems.filter((problem) => methods.includes('mesh') || !isOverImages(sketchOf(problem)))
  if (possible.length === 0)
    throw new BadInputError(
      `${laws.join(', ')} in ${sets.join(', ')} by ${methods.join(', ')} has no meaning; a box needs coulomb and mesh`,
    )
  return possible
}

function session({ rivals, sizes, targets, ...options }: Options): Session {
  const failure = rivals ? install((line) => console.error(line)) : undefined
  if (failure) console.error(`${failure}; the rest runs`)
  const contenders = (spec: ProblemSpec) =>
    sizes.includes(spec.count)
      ? treeContenders(sketchOf(spec), { ...options, rivals: rivals && !failure })
      : treeContenders(sketchOf(spec), { ...options, tolerances: [], rivals: false })
  return turnsSession(nodeEnvironment(), contenders, { judge: (problem) => sumsJudge(problem, targets) })
}
