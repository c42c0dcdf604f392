/**
 * Which coincident pairs are left out, in the reference and on a device. Where the numbers of the pair decide, the device may
 * decide otherwise: it rounds them, and holds smaller or larger powers than float64 does.
 *
 * @module
 */

import { evaluator } from '../../language/evaluate.ts'
import { call, constant, type Expr, symbolsOf } from '../../language/nodes.ts'
import { needsGuard, neverZero, singularPairs } from '../../problem/workloads/bodies/coincident.ts'
import type { Condition } from '../../problem/workloads/bodies/conditions.ts'
import { termIn } from '../../problem/workloads/bodies/scaled-term.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import { pairNumber } from '../../problem/workloads/tables/pair-numbers.ts'
import type { PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import type { Arithmetic } from './arithmetic.ts'
import { foldError } from './fold-errors.ts'
import { perRun } from './parts.ts'
import { tapeOf } from './tape/tape.ts'

/** Whether a coincident pair is left out. */
export interface LeftOut {
  readonly inReference: boolean
  /** On the device; undefined if rounding decides. */
  readonly onDevice: boolean | undefined
}

/** Decides for target i and source j, if they coincide. */
export function coincidence(
  workload: PairWorkload,
  shape: Shape,
  data: PairData,
  arithmetic: Arithmetic,
): (i: number, j: number) => LeftOut {
  const { parameters } = data
  const guard = needsGuard(workload, shape.dimension, parameters)
  if (guard !== 'per-pair') return () => ({ inReference: guard, onDevice: guard })
  const term = termIn(workload, shape)
  const nonzero = neverZero(workload)
  const exact = asExpression(singularPairs(term, 'f64', nonzero))
  const rounded = asExpression(singularPairs(term, arithmetic.single ? 'f32' : 'f64', nonzero))
  const own = [...symbolsOf(exact, rounded)].flatMap((name) => {
    const number = pairNumber(name, workload.law, data)
    return number ? [{ name, number, error: foldError(name, workload.law, data, arithmetic) }] : []
  })
  const names = [...own.map(({ name }) => name), ...Object.keys(parameters)]
  const inReference = evaluator(exact, names)
  const tape = tapeOf([rounded], names, arithmetic, perRun(Object.keys(parameters)))
  const [condition = 0] = tape.outputs
  const numbers = Float64Array.from(names, (name) => parameters[name] ?? 0)
  for (const [slot, value] of numbers.entries()) {
    if (slot >= own.length) tape.errors[slot] = arithmetic.stored(value)
  }
  return (i, j) => {
    for (const [slot, { number }] of own.entries()) numbers[slot] = number(i, j, 0)
    tape.values.set(numbers)
    for (const [slot, { error }] of own.entries()) if (error) tape.errors[slot] = error(i, j)
    tape.run()
    const onDevice = tape.errors[condition] === 0 ? tape.values[condition] === 1 : undefined
    return { inReference: inReference(numbers) === 1, onDevice }
  }
}

const asExpression = (condition: Condition): Expr =>
  typeof condition === 'boolean' ? call('less', constant(0), constant(Number(condition))) : condition
