/**
 * The designs of sums over all pairs. Most pages need no others, and load this file in place of `designs.ts`.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { sumOf } from '../folds/sum.ts'
import type { PairParts } from './pair-design.ts'
import { pairProgram } from './pair-program.ts'
import { type DesignOf, encoded } from './written.ts'

/** @param defineOnce writes loops that visit each pair once; undefined if none of them will run */
export const sumDesigns = (defineOnce: PairParts['defineOnce']): DesignOf => {
  const parts: PairParts = { foldOf: sumOf, ...(defineOnce && { defineOnce }) }
  return (workload, shape, options, plan) => encoded(pairProgram(workload as PairWorkload, shape, options, plan, parts))
}
