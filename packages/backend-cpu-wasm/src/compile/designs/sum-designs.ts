/**
 * The designs of sums over all pairs. Most pages need no others, and load this file in place of `designs.ts`.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import type { WriterOptions } from '../expressions/module-writer.ts'
import { sumOf } from '../folds/sum.ts'
import type { PairParts } from './pair-design.ts'
import { pairProgram } from './pair-program.ts'
import { type DesignOf, encoded } from './written.ts'

/** Loops that visit each pair once, and functions that take more than an instruction; undefined if no loop of the workload has any. */
interface SumParts {
  readonly defineOnce: PairParts['defineOnce']
  readonly math: WriterOptions['math']
}

export function sumDesigns({ defineOnce, math }: SumParts): DesignOf {
  const parts: PairParts = { foldOf: sumOf, ...(defineOnce && { defineOnce }) }
  return (workload, shape, options, plan) =>
    encoded(pairProgram(workload as PairWorkload, shape, { ...options, math }, plan, parts))
}
