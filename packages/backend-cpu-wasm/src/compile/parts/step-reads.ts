/**
 * The addresses of the steps of tabulated functions that all pairs share. Each lane has a step of its own, so how fast a law with a function is
 * depends on the few instructions between its distance and its address:
 *
 * - `step - 0.5` is rounded instead of a step that is cut off. A whole step may become the one before it, which has the same value and the
 *   same slopes there.
 * - The step is limited in such an order that NaN gives step 0, so no address lies outside of the function.
 *
 * @module
 */
import type { Expr, PairBody } from '@manybody/core/expression'
import type { Values } from '../expressions/module-writer.ts'
import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { laneAddresses, rounding } from './lane-addresses.ts'

/** The place of a step: `start + width*floor(min(max(step, 0), last))`, where start and last are numbers of the run. */
interface StepPlace {
  readonly start: string
  readonly width: number
  readonly step: Expr
  readonly last: Expr
}

/** Undefined for other places, such as those of functions by kind. */
function stepIn(place: Expr): StepPlace | undefined {
  if (place.kind !== 'sum' || place.terms.length !== 2) return undefined
  const start = place.terms.find((term) => term.kind === 'symbol')
  const steps = place.terms.find((term) => term.kind === 'product')
  if (start?.kind !== 'symbol' || steps?.kind !== 'product' || steps.factors.length !== 2) return undefined
  const width = steps.factors.find((factor) => factor.kind === 'constant')
  const [limited] = argumentsOf(
    'floor',
    steps.factors.find((factor) => factor.kind === 'call'),
  )
  const [raised, last] = argumentsOf('min', limited)
  const [step, zero] = argumentsOf('max', raised)
  if (width?.kind !== 'constant' || !step || last?.kind !== 'symbol' || zero?.kind !== 'constant') return undefined
  return { start: start.name, width: width.value, step, last }
}

const argumentsOf = (name: string, e: Expr | undefined): readonly Expr[] =>
  e?.kind === 'call' && e.name === name ? e.args : []

const nameOf = ({ start, width }: StepPlace) => `${start} of ${width}`

/** The address of the first step of each function, as `stepAddresses` needs it. @param address that of the tables */
export function firstSteps(
  { vector, offset }: { readonly vector: Vector; readonly offset: (name: string) => number },
  code: FunctionBuilder,
  block: Node,
  address: Node,
  reads: PairBody['reads'],
): [string, Node][] {
  const places = reads.flatMap(({ place }) => stepIn(place) ?? [])
  return [...new Map(places.map((place) => [nameOf(place), place]))].map(([name, { start, width }]) => {
    const origin = Math.imul(rounding[vector.bytes].bits, width * vector.bytes)
    const first = value(code)`
      lanes real = ${vector.type}
      scalar number = ${vector.number}
      const start = i32.trunc_sat_f64_s(f64(number[${block} + ${offset(start)}]))
      i32x4.splat(${address} + start * ${vector.bytes} - ${origin})`
    return [name, code.let('v128', 'steps', first)]
  })
}

/** The address of a step in each lane; undefined for other places. */
export function stepAddresses(
  vector: Vector,
  code: FunctionBuilder,
  values: Values,
  place: Expr,
  render: (e: Expr) => Node,
): readonly Node[] | undefined {
  const found = stepIn(place)
  const first = found && values.get(nameOf(found))
  if (!first) return undefined
  // The pseudo-maximum of 0 and NaN is 0. Half a step is taken off before, because the last step is a whole number.
  const places = value(code)`
    lanes real = ${vector.type}
    const step = pmax(real(0), ${render(found.step)} as real - 0.5)
    const whole = pmin(step, ${render(found.last)} as real) + ${rounding[vector.bytes].add}
    whole as i32x4 * ${found.width * vector.bytes} + ${first} as i32x4`
  return laneAddresses(vector, code, places)
}
