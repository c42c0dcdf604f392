/**
 * The folds and loops of all workloads over pairs.
 *
 * @module
 */
import { nearChoice } from '../../designs/near-choice.ts'
import { foldOf } from '../folds/folds.ts'
import { chooserShader } from '../ranges/choose-blocks.ts'
import { blocksLoop } from './blocks-loop.ts'
import { cellsLoop } from './cells-loop.ts'
import { componentShaders } from './component-shaders.ts'
import { groupShaders } from './group-shaders.ts'
import { listsOf } from './lists.ts'
import { nearFacts } from './near.ts'
import { onceVersion } from './once-versions.ts'
import type { NearParts, PairParts } from './pair-parts.ts'

const near: NearParts = {
  blocks: blocksLoop,
  cells: cellsLoop,
  choice(workload, shape, once) {
    const facts = nearFacts(workload, shape)
    return facts && nearChoice(facts, shape, once, () => chooserShader(facts.space, shape.sameSet))
  },
}

export const allParts: PairParts = {
  foldOf,
  listsOf,
  groups: groupShaders,
  components: componentShaders,
  once: onceVersion,
  near,
}
