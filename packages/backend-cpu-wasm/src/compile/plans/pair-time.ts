/**
 * The time of a pair in the loop over all pairs, in additions of that loop. docs/notes/cpu-wasm.md has the times of functions.
 *
 * @module
 */
import type { Precision, Reduction } from '@manybody/core'
import { children, type Expr, type FunctionName, type PairBody, picksSource } from '@manybody/core/expression'
import { isInstruction, type MathName } from '../expressions/function-names.ts'
import { expressionsOf } from './registers.ts'

type Cost = Readonly<Record<Precision, number>>

const costs: Readonly<Partial<Record<MathName, Cost>>> = {
  exp: { f32: 36, f64: 58 },
  log: { f32: 110, f64: 176 },
  erf: { f32: 500, f64: 275 },
  erfc: { f32: 500, f64: 275 },
  pow: { f32: 620, f64: 341 },
}
/** Sines, cosines and the others, which are always computed in float64. An addition takes longer in float64. */
const others: Cost = { f32: 280, f64: 154 }
/** A division or a root. Other powers have been expanded. */
const divider: Cost = { f32: 4, f64: 10 }

/** Reading one entry of a table. */
const entry: Cost = { f32: 4, f64: 4 }

const functionTime = (name: FunctionName, precision: Precision): number =>
  isInstruction(name) ? 1 : (costs[name] ?? others)[precision]

/** Comparing and keeping the source of a pair. */
const picking = 10

/** The time to join a term to the others, beyond an addition. */
export const foldTime = (reduction: Reduction, precision: Precision): number =>
  reduction === 'logsumexp' ? functionTime('exp', precision) : picksSource(reduction) ? picking : 0

export function pairTime(body: PairBody, precision: Precision): number {
  const timeOf = (e: Expr): number => {
    const parts = children(e)
    const own =
      e.kind === 'call'
        ? functionTime(e.name, precision)
        : e.kind === 'power'
          ? divider[precision]
          : Math.max(0, parts.length - 1)
    return parts.reduce((total, part) => total + timeOf(part), own)
  }
  const entries = body.reads.reduce((total, { numbers }) => total + numbers.length, 0)
  return expressionsOf(body).reduce((total, e) => total + timeOf(e), entries * entry[precision])
}
