/**
 * The designs of loops over near points, and the choice between them. A page loads them only for workloads that have such loops.
 *
 * @module
 */
import { levelsOf } from '../design/block-tree.ts'
import { targetsByCells } from '../design/cell-layout.ts'
import { blocksDesign } from './blocks-design.ts'
import { cellsDesign } from './cells-design.ts'
import { nearChoice } from './near-choice.ts'

export interface NearDesigns {
  readonly blocks: typeof blocksDesign
  readonly cells: typeof cellsDesign
  readonly choice: typeof nearChoice
  /** The sizes that a file has loops for: levels of the tree over blocks, and targets of a workgroup that visits cells. */
  readonly levelsOf: typeof levelsOf
  readonly targetsByCells: typeof targetsByCells
}

export const nearDesigns: NearDesigns = {
  ...{ blocks: blocksDesign, cells: cellsDesign, choice: nearChoice },
  ...{ levelsOf, targetsByCells },
}
