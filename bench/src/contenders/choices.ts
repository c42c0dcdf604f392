/**
 * Three ways of a backend to visit pairs: all pairs in its usual loop, blocks of near points, and its own choice for each run.
 */

import type { Backend, Bindings, OpenOptions, Plan } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import type { Contender, Entry, Problem, Sample } from '../contender.ts'
import { type ProblemSpec, problemOf, sketchOf } from '../problem.ts'
import { repeated } from '../timing/sampler.ts'
import { backendContender, type Devices, type ProgramEntry } from './backend.ts'

export const ways = ['all pairs', 'blocks', 'own choice'] as const
type Way = (typeof ways)[number]

/** Whether a call that chose visited blocks. */
export const isBlocks = (variant: string | undefined): boolean => variant?.startsWith('blocks') === true

/** The most pairs that one call may compute one by one. */
const mostPairs = 5e9

/** The number of targets that calls see before points repeat. */
const otherTargets = 4096

/** @param open how to open the backend; rows name only the precision and the threads */
export function choiceContenders(
  spec: ProblemSpec,
  backend: Backend,
  open: OpenOptions,
  devices: Devices,
): readonly Contender[] {
  const { interactions, targets } = sketchOf(spec)
  const { precision = 'f32', threads } = open
  const sets = Math.max(2, Math.ceil(otherTargets / targets))
  const contender = (way: Way, plan?: Plan): Contender => {
    const one = backendContender(way, backend, { ...open, ...(plan ? { plan } : {}), ran: true }, devices)
    return {
      ...one,
      // All precisions and numbers of threads run the same problem.
      name: `${way} ${precision}, ${threads} threads`,
      group: `${precision}, ${threads} threads`,
      prepare: async (problem) => {
        const entry = await one.prepare(problem)
        return timedWith(spec, sets, entry)
      },
    }
  }
  /** Before its first run, a program reports the variant that does not visit blocks. */
  const usual = async ({ workload, particles }: Problem): Promise<Plan> => {
    const program = await (await devices.of(backend, open)).prepare(workload, bind(workload, particles).shape)
    const [variant = ''] = program.report.variant.split(/[ ,]/)
    program.dispose()
    return { variant }
  }
  const all: Contender = {
    ...contender('all pairs'),
    prepare: async (problem) => contender('all pairs', await usual(problem)).prepare(problem),
  }
  return [
    ...(interactions > mostPairs ? [] : [all]),
    contender('blocks', { variant: 'blocks' }),
    contender('own choice'),
  ]
}

/**
 * Each timed call has other points: those of the problem, and of its next seeds. If up to 300 points repeat, a processor learns their
 * branches, and a call takes a third of its time in a real program.
 */
export function timedWith(spec: ProblemSpec, sets: number, entry: ProgramEntry): Entry {
  const others = Array.from({ length: sets - 1 }, (_, n): Bindings => {
    const { workload, particles } = problemOf({ ...spec, seed: spec.seed + n + 1 })
    return bind(workload, particles).bindings
  })
  const points = [undefined, ...others]
  let turn = 0
  const next = () => entry.run(points[turn++ % sets])
  return Object.assign(entry, { sample: (span: number): Promise<Sample> => repeated(next, span) })
}
