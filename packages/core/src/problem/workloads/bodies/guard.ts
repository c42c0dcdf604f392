/**
 * The coincident pairs that the loop of a run leaves out, by its parameters. `coincident.ts` makes the rule from a law. The rule is
 * plain data, so deciding needs no law.
 *
 * @module
 */
import { type FormulaTape, play } from '../../../language/tape.ts'
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
  readonly bounded?: FormulaTape
  /** All pairs are singular if one of these conditions holds for the parameters of a run; true if they always are. */
  readonly singular: boolean | FormulaTape
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
  const isSingular = typeof singular === 'boolean' ? singular : play(singular, parameters).some((holds) => holds !== 0)
  const guard = isSingular || (perPair && 'per-pair')
  if (!bounded) return guard
  // The loop multiplies 0 by the rest of the term, so no step of this may leave the range of float32.
  const isBounded = (attributes: number) =>
    play(bounded, parameters, { others: attributes, round: inFloat32 }).every((x) => Math.abs(x) < infiniteAbove)
  return guard !== false || !(isBounded(1) && isBounded(0))
}

/** The guards that a rule may decide for. */
export function guardsOf({ bounded, singular, perPair }: GuardRule): readonly Guard[] {
  if (singular === true) return [true]
  if (bounded) return perPair ? [true] : [false, true]
  return [perPair ? 'per-pair' : false, ...(singular ? [true] : [])]
}

/** Cuts a number to the range of float32. It keeps all digits, which do not matter here. */
function inFloat32(x: number): number {
  if (Math.abs(x) > infiniteAbove) return x * Number.POSITIVE_INFINITY
  return Math.abs(x) < smallest ? 0 : x
}
