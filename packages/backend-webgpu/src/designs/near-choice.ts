/**
 * The choice between blocks of near points and all pairs, by the numbers of points.
 *
 * @module
 */
import type { Shape } from '@manybody/core'
import type { NearChoice } from '../design/near.ts'
import type { Shader } from '../design/shader.ts'
import type { BoxSpace } from '../design/space.ts'
import { choosesInSequences, mostShare, type PairLoop } from '../plans/blocks-model.ts'

/** The facts that decide the choice, besides the numbers of points. */
export interface NearFacts {
  /** The kind of loop over all pairs: one that meets each pair once, and another. */
  readonly loops: Readonly<Record<'once' | 'other', PairLoop>>
  /** Number of sources that targets keep; undefined if they keep all within a cutoff. */
  readonly kept?: number | undefined
  readonly space: BoxSpace
}

/** When blocks are faster than a loop over all pairs; undefined if they never are. @param once whether that loop meets each pair once */
export function nearChoice(
  { loops, kept, space }: NearFacts,
  { targets, sources }: Pick<Shape, 'targets' | 'sources'>,
  once: boolean,
  chooser: () => Shader,
): NearChoice | undefined {
  const all = { targets, sources, loop: loops[once ? 'once' : 'other'] }
  const most = mostShare(all)
  if (most <= 0) return undefined
  const choice = { mostShare: most, kept }
  if (!choosesInSequences(all)) return choice
  return {
    ...choice,
    get chooser() {
      return { shader: chooser(), space }
    },
  }
}
