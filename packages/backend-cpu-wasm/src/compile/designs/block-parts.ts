/**
 * The parts that a loop by blocks adds to a pair design: the order of points, and the pass over blocks.
 *
 * @module
 */
import { sizePhases } from '../lists/block-sizes.ts'
import { defineBlockPass } from '../loops/block-loop.ts'
import { defineOrder } from '../ranges/order-points.ts'
import { directBody } from './direct-body.ts'

export interface BlockParts {
  readonly defineBlockPass: typeof defineBlockPass
  readonly defineOrder: typeof defineOrder
  readonly directBody: typeof directBody
  readonly sizePhases: typeof sizePhases
}

export const blockParts: BlockParts = { defineBlockPass, defineOrder, directBody, sizePhases }
