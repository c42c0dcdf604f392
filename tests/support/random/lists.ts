// Neighbour lists in random problems.

import { neighborsWithin } from '@manybody/core'
import { type RandomProblem, randomProblem } from './problem.ts'

/** The neighbour lists within the cutoff of a random problem. */
export interface ListProblem extends Pick<RandomProblem, 'particles'> {
  readonly seed: number
  readonly workload: ReturnType<typeof neighborsWithin>
}

/** The problems that have a cutoff, out of these seeds. */
export const listProblems = (seeds: readonly number[]): readonly ListProblem[] =>
  seeds.map(listProblem).filter((problem) => problem !== undefined)

function listProblem(seed: number): ListProblem | undefined {
  const { workload, particles } = randomProblem(seed)
  if (workload.loop !== 'pair' || !workload.domain.cutoff) return undefined
  const { cutoff, ...domain } = workload.domain
  return { seed, workload: neighborsWithin(cutoff.distance, domain), particles }
}
