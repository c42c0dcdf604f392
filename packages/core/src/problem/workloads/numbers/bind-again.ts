/**
 * Binds new numbers for a repeated run. The run before checked everything else, so only the numbers are checked and copied.
 *
 * @module
 */
import type { Bindings, PointSet } from '../../../ground/arrays/bindings.ts'
import { giveBack } from '../../../ground/arrays/kept-copies.ts'
import { type FloatArray, takenArray } from '../../../ground/checks.ts'
import type { Precision } from '../../../ground/precision.ts'
import { type Bound, divisorOf } from '../bind.ts'
import { lawFact } from '../law-facts.ts'
import { requireInertia } from '../particles.ts'
import { type Kinds, kindsIn, requireKinds } from '../tables/kinds.ts'
import type { PairWorkload, Shape } from '../workload.ts'
import { ownUnitSuits } from './float32-numbers.ts'

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

/** A run with copies of its caller's arrays. */
export interface OwnBound extends PairBound {
  readonly bindings: OwnBindings
}

interface OwnBindings extends Bindings {
  readonly targets: { readonly count: number; readonly arrays: Record<string, FloatArray> }
  parameters: Bindings['parameters']
}

/**
 * The same run with copies of its arrays; undefined if its points need another unit of length.
 *
 * @param given as many numbers as before, of the same types
 * @param spare an earlier run that has ended, and now becomes this one
 * @throws TypeError, RangeError
 */
export function bindAgain(
  before: PairBound,
  given: PointSet['arrays'],
  parameters: Bindings['parameters'],
  { divisor, kinds, inUnits }: NumberRules,
  spare: OwnBound | undefined,
): OwnBound | undefined {
  const bound = spare ?? withoutNumbers(before)
  const { shape, bindings } = bound
  const { targets } = bindings
  for (const name in given) targets.arrays[name] = takenArray(given[name], name)
  if (divisor !== undefined) requireInertia(divisor, targets)
  if (inUnits && !ownUnitSuits(targets.arrays.position as FloatArray, shape, parameters)) return undefined
  if (kinds.length > 0) {
    requireKinds(kinds, 'i', targets, '')
    requireKinds(kinds, 'j', targets, '')
  }
  bindings.parameters = parameters
  return bound
}

/** The same run over one set whose numbers are still to come. */
function withoutNumbers({ workload, shape, bindings }: PairBound): OwnBound {
  const set = { count: shape.targets, arrays: {} }
  return { workload, shape, bindings: { ...bindings, targets: set, sources: set } }
}

const nothing = new Float32Array()

/** Gives back the copies of a run that has ended, so that it can become another. */
export function spared(bound: OwnBound): OwnBound {
  const { arrays } = bound.bindings.targets
  giveBack(arrays)
  for (const name in arrays) arrays[name] = nothing
  return bound
}
