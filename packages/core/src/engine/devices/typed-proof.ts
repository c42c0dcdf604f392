/**
 * The proof from its law, for devices that have not compiled it ahead.
 *
 * @module
 */

import { gravity } from '../../problem/interactions/gravity.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { accelerations } from '../../problem/typed-at-once.ts'
import type { PairWorkload } from '../../problem/workloads/workload.ts'

export const typedProof = (law: Interaction = gravity({ softening: 0.1 })): PairWorkload => accelerations(law)
