/**
 * The designs of sums over all pairs. Most pages need no others, and load this file in place of `designs.ts`.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import type { WriterOptions } from '../expressions/module-writer.ts'
import { encoded, pairProgram, sumOf } from './loaded-at-once.ts'
import type { PairParts } from './pair-design.ts'
import type { DesignOf } from './written.ts'

/** Functions that take more than an instruction; undefined if a law calls none. */
export type MathCall = WriterOptions['math']

/** @param defineOnce loops that visit each pair once; undefined if there are none */
export function sumDesigns(math: MathCall, defineOnce?: PairParts['defineOnce']): DesignOf {
  const parts: PairParts = { foldOf: sumOf, ...(defineOnce && { defineOnce }) }
  return (workload, shape, options, plan) =>
    encoded(pairProgram(workload as PairWorkload, shape, { ...options, math }, plan, parts))
}
