/**
 * The door to the layouts of numbers that every program loads, for code that loads on demand: through it, all such code imports the same
 * set. `problem/loaded-at-once.ts` in core tells why.
 *
 * @module
 */

export { spareBytes } from './list-layout.ts'
export { fewestOnce, tileSources, unitTargets } from './loop-plan.ts'
export { spaceBytes } from './order-layout.ts'
export { partBytes } from './proxy-layout.ts'
export { walkBytes } from './walk-layout.ts'
