/**
 * The designs of sums over all pairs. Most pages need no others, and load this file in place of `designs.ts`.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { sumParts } from './pair-design.ts'
import { pairProgram } from './pair-program.ts'
import { type DesignOf, encoded } from './written.ts'

export const designOf: DesignOf = (workload, shape, options, plan) =>
  encoded(pairProgram(workload as PairWorkload, shape, options, plan, sumParts))
