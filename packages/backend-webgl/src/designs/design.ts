/**
 * What will run for a workload, as data: its passes, their variant, and how they add. Designs need no device: `designs.ts`
 * makes them, `text.ts` prints them, and the programs compile them.
 *
 * @module
 */
import type { Report } from '@manybody/core'
import type { PassSource } from '../glsl/pass-source.ts'

/** Where a result lies among the numbers that a pass writes for each element, and whether the largest stand for infinity. */
export type ResultPlace = readonly [offset: number, components: number, unbounded?: boolean]

/** The loops of this backend read their sources from textures. */
export const loopVariant = 'texture-loop'

export interface ProgramDesign {
  readonly variant: string
  readonly accumulation: Report['accumulation']
  /** The passes in the order in which they run. */
  readonly passes: readonly PassSource[]
  /** The results that can stay on the device, by name. */
  readonly resident: Readonly<Record<string, ResultPlace>>
}
