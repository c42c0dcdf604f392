/**
 * The door to the parts of laws as text, which a page that types a law loads at once, for code that loads on demand. `loaded-at-once.ts` tells
 * why.
 *
 * @module
 */

export { mapComponents } from './workloads/bodies/map-components.ts'
export { open } from './workloads/define-domain.ts'
export { stencil } from './workloads/grid.ts'
export { accelerations, energy, forces, sum, virial } from './workloads/pair.ts'
export { cellIndex, map } from './workloads/particle.ts'
export { expressionsIn, termOf } from './workloads/quantity.ts'
