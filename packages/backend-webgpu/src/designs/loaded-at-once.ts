/**
 * The door to the plans and designs of plain sums, which every sum loads, for code that loads on demand: through it, all such code imports the
 * same set. `problem/loaded-at-once.ts` in core tells why.
 *
 * @module
 */

export { leastLimits } from '../design/least-limits.ts'
export { arrayName } from '../design/shader.ts'
export { describeOnce, onceKey, onceSuits } from '../plans/once-plan.ts'
export { choosePlan, loopKey } from '../plans/plan.ts'
export { blocksVariant, cellsVariant, onceVariant } from '../plans/variants.ts'
export { fitting } from './fitting.ts'
export { foldDesigns } from './fold-designs.ts'
