/**
 * The door to the parts of simulations that `@manybody/core` exports, which a page that types a law loads at once, for code that loads on
 * demand. `problem/loaded-at-once.ts` tells why.
 *
 * @module
 */

export { summed } from '../problem/interactions/composed/sum-of.ts'
export { isAngles, isDihedrals } from './forces/angles.ts'
export { isBonds } from './forces/bonds.ts'
export { isExternal, time } from './forces/external-force.ts'
