/**
 * IAS15 as data. Its steps are computed on the host in float64: see `radau-steps.ts`.
 *
 * @module
 */
import type { Integrator } from '../integrators.ts'
import type { IntegratorStage } from '../kicks.ts'

/**
 * Gauss-Radau of 15th order, for few bodies in float64: errors stay at the rounding of float64. Steps adapt by themselves, also to
 * encounters; `dt` is the length of the first. About 15 forces a step. Forces may read velocities and the time.
 *
 * @source H. Rein and D. S. Spiegel, Mon. Not. R. Astron. Soc. 446 (2015) 1424
 */
export const ias15: Integrator = { name: 'IAS15', order: 15, stages: [{ kind: 'gauss-radau', epsilon: 1e-9 }] }

/** The stage that is a whole step, if an integrator has it. */
export const radauIn = ({ stages }: Integrator): (IntegratorStage & { readonly kind: 'gauss-radau' }) | undefined =>
  stages.find((stage) => stage.kind === 'gauss-radau')
