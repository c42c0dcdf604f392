/**
 * The phases that put points in order (`order-points.ts`), as designs list them.
 *
 * @module
 */
import type { PhaseShape, Side } from '../../design/design.ts'
import { loadPoints, mostLevels } from '../../design/order-layout.ts'

/** The phases of a side, in order. */
export function orderPhases(side: Side): readonly PhaseShape[] {
  const whole = { points: loadPoints, callUnits: 1, over: side, pairs: false, orders: true }
  const levels = Array.from({ length: mostLevels }, (_, level) => level)
  return [
    { ...whole, name: `load.${side}`, callUnits: 16, nanoseconds: 8 },
    ...levels.map((level) => ({ ...whole, name: `cut${level}.${side}`, units: 2 ** level, nanoseconds: 5, level })),
    { ...whole, name: `sort.${side}`, units: 'tasks', nanoseconds: 50 },
    { ...whole, name: `join.${side}`, units: 1, nanoseconds: 0, level: 0 },
  ]
}
