/**
 * The coincident pairs that the loop of a run leaves out, by its parameters. `coincident.ts` makes the rule from a law. The rule is
 * plain data, so deciding needs no law.
 *
 * @module
 */
import { Remembered } from '../../../ground/remember.ts'
import { type Evaluator, evaluate, evaluatorInSteps } from '../../../language/evaluate.ts'
import { type Expr, symbolsOf } from '../../../language/nodes.ts'
import { smallest } from '../numbers/number-range.ts'

export type Parameters = Readonly<Record<string, number>>

/**
 * The coincident pairs that a loop leaves out: none, all, or each pair with a term that is infinite or NaN for its own numbers
 * (`singularPairs`).
 */
export type Guard = boolean | 'per-pair'

export interface GuardRule {
  /** The parameters of the workload, for runs that give none. */
  readonly parameters: Parameters
  /** Terms that are 0 for coincident points unless a step of them leaves the range of float32; absent for other terms. */
  readonly bounded?: readonly Expr[]
  /** All pairs are singular if one of these holds for the parameters of a run; true if they always are. */
  readonly singular: true | readonly Expr[]
  /** Whether other pairs are singular by their own numbers. */
  readonly perPair: boolean
}

/** A larger number counts as infinite: float32 ends at 3.4e38, and numbers are multiplied further. */
export const infiniteAbove = 1e30

/** The displacement of coincident points. */
export const contact: Parameters = { dx: 0, dy: 0, dz: 0, r2: 0 }

/** The guard of a run, by default with the parameters of the workload. */
export function guardBy(rule: GuardRule, given: Parameters = rule.parameters): Guard {
  const { bounded, singular, perPair } = rule
  const parameters = { ...given, ...contact }
  const guard = singular === true || singular.some((c) => evaluate(c, parameters) !== 0) || (perPair && 'per-pair')
  if (!bounded) return guard
  // The loop multiplies 0 by the rest of the term, so no step of this may leave the range of float32.
  const isBounded = (attributes: number) => bounded.every((e) => isSmall(inSteps(e, parameters, attributes)))
  return guard !== false || !(isBounded(1) && isBounded(0))
}

interface Stepped {
  readonly names: readonly string[]
  readonly of: Evaluator
}

const stepped = new Remembered<Expr, Stepped>()

/** The value of an expression, cut to the range of float32 after each step. @param others the value of every attribute */
function inSteps(e: Expr, parameters: Parameters, others: number): number {
  const { names, of } = stepped.of(e, () => {
    const read = [...symbolsOf(e)]
    return { names: read, of: evaluatorInSteps(e, read, inFloat32) }
  })
  return of(Float64Array.from(names, (name) => parameters[name] ?? others))
}

/** The guards that a rule may decide for. */
export function guardsOf({ bounded, singular, perPair }: GuardRule): readonly Guard[] {
  if (singular === true) return [true]
  if (bounded) return [false, true]
  return [perPair ? 'per-pair' : false, ...(singular.length > 0 ? [true] : [])]
}

const isSmall = (x: number): boolean => Math.abs(x) < infiniteAbove

/** Cuts a number to the range of float32. It keeps all digits, which do not matter here. */
function inFloat32(x: number): number {
  if (Math.abs(x) > infiniteAbove) return x * Number.POSITIVE_INFINITY
  return Math.abs(x) < smallest ? 0 : x
}
