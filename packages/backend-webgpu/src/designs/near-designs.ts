/**
 * The designs of loops over near points. A page loads them only for workloads that have such loops.
 *
 * @module
 */
import { blocksDesign } from './blocks-design.ts'
import { cellsDesign } from './cells-design.ts'

export interface NearDesigns {
  readonly blocks: typeof blocksDesign
  readonly cells: typeof cellsDesign
}

export const nearDesigns: NearDesigns = { blocks: blocksDesign, cells: cellsDesign }
