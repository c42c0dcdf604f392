/**
 * The drivers of all designs.
 *
 * @module
 */
import type { ProgramDesign } from '../../design/design.ts'
import { blocksDriver } from './blocks.ts'
import { cellsDriver } from './cells.ts'
import type { LoopDriver } from './driver.ts'
import { elementDriver } from './element.ts'
import { matrixDriver } from './matrix.ts'
import { onceDriver } from './once.ts'
import { pairDriver } from './pair.ts'
import { treeDriver } from './tree.ts'
import { vectorDriver } from './vector-sums.ts'
import { verletDriver } from './verlet.ts'

export const allDrivers: { readonly [D in ProgramDesign as D['driver']]: LoopDriver<D> } = {
  element: elementDriver,
  matrix: matrixDriver,
  vector: vectorDriver,
  pair: pairDriver,
  once: onceDriver,
  blocks: blocksDriver,
  cells: cellsDriver,
  tree: treeDriver,
  verlet: verletDriver,
}
