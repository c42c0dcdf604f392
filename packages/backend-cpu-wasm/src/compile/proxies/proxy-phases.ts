/**
 * The phases over the tree of sources between its order and the walks, as designs list them.
 *
 * @module
 */
import type { PhaseShape } from '../../design/design.ts'
import { weighPoints } from '../../design/proxy-layout.ts'

const common = { points: weighPoints, over: 'source', pairs: false } as const

/**
 * In order. `weigh` finds the weights, and the host then decides on the other phases. `gather` and `gatherTop` go from the
 * leaves upwards, `reachTop` and `reach` from the root downwards.
 */
export const proxyPhases: readonly PhaseShape[] = [
  { ...common, name: 'weigh', callUnits: 16, nanoseconds: 5 },
  { ...common, name: 'gather', callUnits: 1, units: 'tasks', nanoseconds: 60 },
  { ...common, name: 'gatherTop', callUnits: 1, units: 1, nanoseconds: 0.1 },
  { ...common, name: 'reachTop', callUnits: 1, units: 1, nanoseconds: 0.1 },
  { ...common, name: 'reach', callUnits: 1, units: 'tasks', nanoseconds: 25 },
]
