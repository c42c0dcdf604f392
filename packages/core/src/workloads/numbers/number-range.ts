/**
 * Rejects laws, maps and parameters with numbers outside the range of float32, before they become infinite or 0 on a device.
 *
 * It checks the parts of an expression that change at most once per run, because devices get their values. A value too small
 * for float32 is harmless if it is added to something, like the square of a softening length. A value too large is harmless
 * if something is compared with it.
 *
 * @module
 */
import { productOf } from '../../expression/canonical.ts'
import { evaluate } from '../../expression/evaluate.ts'
import { toText } from '../../expression/infix.ts'
import { children, type Expr, symbolsOf } from '../../expression/nodes.ts'
import { ruleOf } from '../../reductions/table.ts'
import { Remembered } from '../../remember.ts'
import { parseOutputs } from '../outputs.ts'
import { expressionsIn } from '../quantity.ts'
import type { Shape, Workload } from '../workload.ts'
import { termIn } from './units.ts'

/** The largest float32, and the smallest that every device keeps: some devices round smaller numbers to 0. */
export const largest: number = (2 - 2 ** -23) * 2 ** 127
export const smallest: number = 2 ** -126

/** A part of an expression that changes at most once per run, and how it is used. */
interface Part {
  readonly e: Expr
  /** Whether it is a factor, a divisor, or the whole expression: then it must not be too small. */
  readonly factor: boolean
  /** Whether something is compared with it: then it may be too large. */
  readonly compared: boolean
}

const known = new Remembered<Workload, readonly Part[]>()

type Parameters = Readonly<Record<string, number>>

/** @throws RangeError for numbers that float32 does not hold */
export function requireFloat32(workload: Workload, shape: Shape, parameters: Parameters): void {
  const lost = lostIn(workload, shape, parameters)
  if (!lost) return
  const unit = shape.scaled ? `, where lengthUnit is ${parameters.lengthUnit} to suit the positions` : ''
  throw new RangeError(
    `"${lost.what}" expected numbers that float32 holds, from 1.2e-38 to 3.4e38, got ${lost.value}${unit}; use other units or precision "f64"`,
  )
}

/** The first number outside the range of float32, if any, and what it belongs to. */
export function lostIn(
  workload: Workload,
  shape: Shape,
  parameters: Parameters,
): { readonly what: string; readonly value: number } | undefined {
  if (workload.loop === 'particle' && workload.operation === 'cellIndex') return undefined
  const ofRun = (e: Expr) => [...symbolsOf(e)].every((name) => Object.hasOwn(parameters, name))
  const variant = `${shape.dimension} ${shape.scaled} ${Object.keys(parameters)}`
  const parts = known.of(workload, () => expressionsOf(workload, shape).flatMap((e) => partsOf(e, ofRun)), variant)
  for (const part of parts) {
    const value = evaluate(part.e, parameters)
    if (!isLost(value, part)) continue
    const whole = workload.loop === 'pair' ? workload.law.name : 'outputs'
    return { what: symbolsOf(part.e).size ? toText(part.e) : whole, value }
  }
  return undefined
}

function isLost(value: number, { factor, compared }: Part): boolean {
  const size = Math.abs(value)
  if (size > largest) return Number.isFinite(value) && !compared
  return factor && size > 0 && size < smallest
}

function expressionsOf(workload: Exclude<Workload, { operation: 'cellIndex' }>, shape: Shape): readonly Expr[] {
  if (workload.loop !== 'pair') return [...parseOutputs(workload).values()].flat()
  if (ruleOf(workload).termless) return []
  return expressionsIn(termIn(workload, shape))
}

/** The largest parts that depend on the run alone. */
function partsOf(e: Expr, ofRun: (e: Expr) => boolean, factor = true, compared = false): readonly Part[] {
  if (ofRun(e)) return [{ e, factor, compared }]
  if (e.kind !== 'product') {
    const less = e.kind === 'call' && /^less/.test(e.name)
    return children(e).flatMap((child) => partsOf(child, ofRun, e.kind === 'power', less))
  }
  const together = productOf(e.factors.filter(ofRun))
  return [together, ...e.factors.filter((f) => !ofRun(f))].flatMap((f) => partsOf(f, ofRun))
}
