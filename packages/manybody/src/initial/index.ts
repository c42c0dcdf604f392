/**
 * Initial conditions of simulations: seeded points with documented sources. They are plain arrays for `engine.simulate`. They load only
 * with the entry `manybody/initial`.
 *
 * @module
 */
export { type DiskOptions, disk, type TwoDisksOptions, twoDisks } from './disks.ts'
export { lattice, maxwellVelocities } from './matter.ts'
export type { InitialPoints } from './points.ts'
export { solarSystem } from './solar-system.ts'
export { coldCollapse, plummerSphere, type SphereOptions, uniformBall, uniformBox } from './spheres.ts'
export { vortexRing } from './vortex-ring.ts'
