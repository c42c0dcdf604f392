/**
 * Binds new numbers for a repeated run. The run before checked everything else, so only the numbers are checked and copied.
 *
 * @module
 */
import type { PointSet } from '../../../ground/arrays/bindings.ts'
import { type FloatArray, takenArray } from '../../../ground/checks.ts'
import { type Bound, requireDivisor } from '../bind.ts'
import { lawFact } from '../law-facts.ts'
import { kindsIn, requireKinds } from '../tables/kinds.ts'
import type { PairWorkload } from '../workload.ts'
import { ownUnitSuits } from './device-numbers.ts'

export interface PairBound extends Bound {
  readonly workload: PairWorkload
}

/**
 * The run as a device gets it, with the shape of the one before; undefined if its points need another unit of length.
 *
 * @param given float32 numbers, as many as before
 * @throws RangeError
 */
export function bindAgain(
  { workload, shape, bindings }: PairBound,
  given: Readonly<Record<string, Float32Array>>,
): Bound | undefined {
  const copies = Object.entries(given).map(([name, array]) => [name, takenArray(array, name)])
  const arrays: Record<string, FloatArray> = Object.fromEntries(copies)
  requireDivisor(workload, shape.dimension, { arrays })
  if (!ownUnitSuits(arrays.position as FloatArray, shape, bindings.parameters)) return undefined
  const set: PointSet = { count: shape.targets, arrays }
  const { tables } = workload.law
  const kinds = tables ? kindsIn(lawFact('lookups', workload, shape) ?? [], tables) : []
  for (const side of ['i', 'j'] as const) requireKinds(kinds, side, set, '')
  return { workload, shape, bindings: { ...bindings, targets: set, sources: set } }
}
