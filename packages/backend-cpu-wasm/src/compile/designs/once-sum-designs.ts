/**
 * The designs of sums over all pairs that may visit each pair once. The compiler loads this file in place of `sum-designs.ts` with the first
 * law that allows it.
 *
 * @module
 */
import { defineOnce } from '../loops/pairs-once-loop.ts'
import { type MathCall, sumDesigns } from './sum-designs.ts'
import type { DesignOf } from './written.ts'

export const onceSumDesigns = (math: MathCall): DesignOf => sumDesigns(math, defineOnce)
