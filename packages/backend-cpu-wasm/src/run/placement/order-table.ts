/**
 * The regions of points in blocks, as a table: the records and tasks of the order, the trees, and the numbers that walks read.
 *
 * @module
 */

import type { Precision, Shape } from '@manybody/core'
import { nodeBytes, nodeCount, treeBytes } from '@manybody/core/backend'
import type { CoordinateBytes, ProgramDesign, Side } from '../../design/design.ts'
import { unitTargets } from '../../design/loop-plan.ts'
import { cutLevels, orderingBytes, spaceBytes, taskBytes } from '../../design/order-layout.ts'
import { walkBytes } from '../../design/walk-layout.ts'
import type { Region, RegionTable } from './regions.ts'
import type { Request } from './request.ts'

export interface OrderedPoints {
  readonly design: ProgramDesign
  readonly shape: Shape
  readonly precision: Precision
}

/** The regions of points in order, and of the walks over them. */
export function orderTable({ design, shape }: OrderedPoints, { words }: Pick<Request, 'words'>): RegionTable {
  const table: Record<string, Region> = { walk: { bytes: walkBytes }, space: { bytes: spaceBytes } }
  for (const side of sidesOf(shape)) {
    const points = shape[`${side}s`]
    const { nodes, blocks, order } = treeBytes(points)
    const { records, tasks, most } = orderingBytes(points, design.coordinateBytes as CoordinateBytes)
    table[`${side}Nodes`] = { bytes: nodes }
    // Trees of sums with a tolerance look up no boxes of blocks.
    if (design.recordBytes === undefined) table[`${side}Blocks`] = { bytes: blocks }
    table[`${side}Order`] = { bytes: order }
    table[`${side}Records`] = { bytes: records }
    table[`${side}Tasks`] = { bytes: tasks }
    table[`${side}Most`] = { bytes: most }
  }
  table.unitStarts = { bytes: 4 * (unitsIn({ design, shape }) + 1) }
  if (words.finalStarts !== undefined) table.starts = { bytes: 4 * words.finalStarts }
  if (words.exclusionOffsets !== undefined) table.sourcePlaces = { bytes: 4 * shape.sources }
  return table
}

/** The addresses that phases read besides the addresses of regions. */
export function orderEntries({ shape }: OrderedPoints, at: Readonly<Record<string, number>>): Record<string, number> {
  const sides = sidesOf(shape)
  const lasts = sides.map((side) => {
    const above = 2 ** cutLevels(shape[`${side}s`]) - 1
    return [`${side}LastTasks`, (at[`${side}Tasks`] ?? 0) + above * taskBytes] as const
  })
  // One set has one tree.
  const source = sides.at(-1)
  const nodes = at[`${source}Nodes`] ?? 0
  return {
    ...Object.fromEntries(lasts),
    sourceOrder: at[`${source}Order`] ?? 0,
    sourceBlocks: at[`${source}Blocks`] ?? 0,
    nodes,
    nodesEnd: nodes + nodeCount(shape.sources) * nodeBytes,
  }
}

/** The sides with a tree of their own. One set has one tree. */
export const sidesOf = ({ sameSet }: OrderedPoints['shape']): readonly Side[] =>
  sameSet ? ['target'] : ['target', 'source']

/** Number of units of the phase `pairs`. */
export const unitsIn = ({ design, shape }: Pick<OrderedPoints, 'design' | 'shape'>): number =>
  Math.ceil(shape.targets / unitTargets(design))
