/**
 * A sum over pairs as a part of the force, or as the sum of a computed attribute.
 *
 * @module
 */
import type { Interaction } from '../../problem/interactions/interaction.ts'
import type { DomainOptions } from '../../problem/workloads/domain.ts'
import type { SumOptions } from '../../problem/workloads/pair.ts'
import type { PairWorkload } from '../../problem/workloads/workload.ts'
import type { Summand } from '../numbers/pair-numbers.ts'

/** The sum of a law over pairs, which is a part of the force. */
export interface PairPart {
  /** The law of a force, or the sum of the laws of several. */
  readonly law: Interaction
  readonly summands: readonly Summand[]
  readonly domain: DomainOptions
  readonly scale: number
  /** Its only result is the acceleration, the force or the term. */
  readonly workload: PairWorkload
  /** How the sum may be approximated, and its energy and virial too; undefined if not. */
  readonly method?: SumOptions['method'] | undefined
  /** Whether it is the force of an external potential that reads a sum, which has its energy. */
  readonly embedded?: boolean
}

/** Whether a stage, or whatever else has a part, sums through a mesh. */
export const isMeshed = ({ pair }: { readonly pair?: PairPart | undefined }): boolean => pair?.method?.kind === 'mesh'
