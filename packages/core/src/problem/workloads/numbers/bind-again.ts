/**
 * Binds new numbers for a repeated run. The run before checked everything else, so only the numbers are checked and copied.
 *
 * @module
 */
import type { Bindings, PointSet } from '../../../ground/arrays/bindings.ts'
import { type FloatArray, takenArray } from '../../../ground/checks.ts'
import type { Precision } from '../../../ground/precision.ts'
import { type Bound, divisorOf } from '../bind.ts'
import { lawFact } from '../law-facts.ts'
import { requireInertia } from '../particles.ts'
import { type Kinds, kindsIn, requireKinds } from '../tables/kinds.ts'
import type { PairWorkload, Shape } from '../workload.ts'
import { ownUnitSuits } from './device-numbers.ts'

export interface PairBound extends Bound {
  readonly workload: PairWorkload
}

/** What numbers must be besides finite. It does not depend on them. */
export interface NumberRules {
  /** The attribute that divides accelerations. */
  readonly divisor: string | undefined
  readonly kinds: readonly Kinds[]
  /** Whether points may need another unit of length. */
  readonly inUnits: boolean
}

export function numberRules(workload: PairWorkload, shape: Shape, precision: Precision): NumberRules {
  const { tables } = workload.law
  return {
    divisor: divisorOf(workload, shape.dimension),
    kinds: tables ? kindsIn(lawFact('lookups', workload, shape) ?? [], tables) : [],
    inUnits: precision === 'f32',
  }
}

/**
 * The same run with copies of its arrays; undefined if its points need another unit of length.
 *
 * @param given as many numbers as before, of the same types
 * @throws TypeError, RangeError
 */
export function bindAgain(
  { workload, shape, bindings }: PairBound,
  given: PointSet['arrays'],
  parameters: Bindings['parameters'],
  { divisor, kinds, inUnits }: NumberRules,
): PairBound | undefined {
  const arrays: Record<string, FloatArray> = {}
  for (const name in given) arrays[name] = takenArray(given[name], name)
  const set = { count: shape.targets, arrays }
  if (divisor !== undefined) requireInertia(divisor, set)
  if (inUnits && !ownUnitSuits(arrays.position as FloatArray, shape, parameters)) return undefined
  if (kinds.length > 0) {
    requireKinds(kinds, 'i', set, '')
    requireKinds(kinds, 'j', set, '')
  }
  return withNumbers({ workload, shape, bindings }, set, parameters)
}

/** The run over other numbers of one set. */
export const withNumbers = (
  { workload, shape, bindings }: PairBound,
  set: PointSet,
  parameters: Bindings['parameters'],
): PairBound => ({ workload, shape, bindings: { ...bindings, targets: set, sources: set, parameters } })
