/**
 * `near`: blocks of near points beside LAMMPS, SciPy's cKDTree and trees in JavaScript, and beside our own loop over all pairs.
 */

import { availableParallelism } from 'node:os'
import type { Precision } from '@manybody/core'
import type { Command } from 'commander'
import { lammps } from '../../thirdparty/near/lammps.ts'
import { scipy } from '../../thirdparty/near/scipy.ts'
import { kdbush, staticKdtree } from '../../thirdparty/near/trees.ts'
import { installed } from '../../thirdparty/packages.ts'
import { precisionOption, problemsOption, type RecordingOptions, recording } from '../arguments/options.ts'
import type { Contender, Sketch } from '../contender.ts'
import { Devices } from '../contenders/backend.ts'
import { allPairs, liquidSteps, newPoints } from '../near/ours.ts'
import { nearTaskNames } from '../near-tasks.ts'
import { nodeEnvironment } from '../node/environment.ts'
import type { ProblemSpec } from '../problem.ts'
import { turnsSession } from '../sessions/local-session.ts'
import type { Session } from '../sessions/session.ts'
import { execute } from './execute.ts'

interface Options extends RecordingOptions {
  readonly problems: readonly string[]
  readonly precision: readonly Precision[]
}

export function near(program: Command): Command {
  const command = program
    .command('near')
    .description('blocks of near points beside LAMMPS, SciPy and trees in JavaScript, and beside all pairs')
  return recording(command, { sizes: [32_000, 100_000], duration: 120 })
    .addOption(problemsOption(nearTaskNames))
    .addOption(precisionOption())
    .action((options: Options) =>
      execute({
        kind: 'near',
        options,
        problems: options.problems.flatMap((task) =>
          options.sizes.map((count) => ({ what: { task }, count, seed: options.seed })),
        ),
        open: async () => [session(options)],
      }),
    )
}

/** How many pairs one call may compute one by one. */
const mostPairs = 2e10

/** From this number of points on, a call of a slow contender takes many seconds. */
const many = 200_000

function session(options: Options): Session {
  installed()
  const devices = new Devices()
  return turnsSession(
    nodeEnvironment(),
    (problem, spec) => ({ groups: [contendersOf(problem, spec, options, devices)] }),
    {
      dispose: () => devices.dispose(),
    },
  )
}

function contendersOf(
  sketch: Sketch,
  spec: ProblemSpec,
  { precision }: Options,
  devices: Devices,
): readonly Contender[] {
  const all = availableParallelism()
  // With many points, one round of all contenders takes minutes. Those with all threads tell most.
  const threads = all === 1 || sketch.targets > many ? [all] : [1, all]
  const steps = sketch.name === 'Lennard-Jones liquid'
  const ours = precision.flatMap((precision) =>
    threads.map((threads) =>
      steps ? liquidSteps({ precision, threads }) : newPoints({ precision, threads }, spec, devices),
    ),
  )
  const pairs = sketch.interactions > mostPairs ? [] : [allPairs({ precision: 'f32', threads: all }, devices, steps)]
  if (steps) return [...ours, ...threads.map(lammps), ...pairs]
  return [...ours, ...threads.map(scipy), ...treesFor(sketch), ...pairs]
}

/** The tree in JavaScript that is commonly used for this task. */
function treesFor({ dimension, workload, targets }: Sketch): readonly Contender[] {
  if (workload.loop !== 'pair' || targets > many) return []
  if (workload.reduction === 'smallest') return [staticKdtree()]
  return workload.reduction === 'list' && dimension === 2 ? [kdbush()] : []
}
