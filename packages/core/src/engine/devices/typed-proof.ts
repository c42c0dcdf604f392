/**
 * The proof from its law, for devices that have not compiled it ahead.
 *
 * @module
 */
import { gravity } from '../../interactions/gravity.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import { accelerations } from '../../workloads/pair.ts'
import type { PairWorkload } from '../../workloads/workload.ts'

export const typedProof = (law: Interaction = gravity({ softening: 0.1 })): PairWorkload => accelerations(law)
