/**
 * The addresses of the steps of tabulated functions that all pairs share. Each lane has a step of its own, so how fast a law with a function is
 * depends on the few instructions between its distance and its address:
 *
 * - Adding 1.5 * 2^23 to `step - 0.5` leaves the whole number in the low bits, where a conversion takes seven instructions. A whole step may
 *   become the one before it, which has the same value and the same slopes there.
 * - The step is limited in such an order that NaN gives step 0, so no address lies outside of the function.
 * - Addresses are computed in all lanes at once.
 *
 * @module
 */
import type { Expr, PairBody } from '@manybody/core/expression'
import type { ModuleWriter, Values } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, laned, type Node, op } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'

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

/** The conversion to whole numbers, in the lower lanes. */
export const truncated = ({ bytes }: Vector): 'i32x4.trunc_sat_f32x4_s' | 'i32x4.trunc_sat_f64x2_s_zero' =>
  bytes === 4 ? 'i32x4.trunc_sat_f32x4_s' : 'i32x4.trunc_sat_f64x2_s_zero'

const nameOf = ({ start, width }: StepPlace) => `${start} of ${width}`

/** Added to a number, they leave its nearest whole number in the low 32 bits; `bits` are those of 0. */
const rounding = { 4: { add: 1.5 * 2 ** 23, bits: 0x4b400000 }, 8: { add: 1.5 * 2 ** 52, bits: 0 } } as const

/** The address of the first step of each function, as `stepAddresses` needs it. @param address that of the tables */
export function firstSteps(
  writer: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  address: Node,
  reads: PairBody['reads'],
): [string, Node][] {
  const { vector } = writer
  const places = reads.flatMap(({ place }) => stepIn(place) ?? [])
  return [...new Map(places.map((place) => [nameOf(place), place]))].map(([name, { start, width }]) => {
    const first = op(truncated(vector), vector.loadSplat(writer.offset(start), block))
    const bytes = op('i32.mul', laned('i32x4.extract_lane', [0], first), i32(vector.bytes))
    const origin = op('i32.sub', address, i32(Math.imul(rounding[vector.bytes].bits, width * vector.bytes)))
    return [name, code.let('v128', 'steps', op('i32x4.splat', op('i32.add', origin, bytes)))]
  })
}

/** The address of a step in each lane; undefined for other places. */
export function stepAddresses(
  { vector }: Pick<ModuleWriter, 'vector'>,
  code: FunctionBuilder,
  values: Values,
  place: Expr,
  render: (e: Expr) => Node,
): readonly Node[] | undefined {
  const found = stepIn(place)
  const first = found && values.get(nameOf(found))
  if (!first) return undefined
  // The pseudo-maximum of 0 and NaN is 0. Half a step is taken off before, as the last step is a whole number.
  const middle = vector.op('sub', render(found.step), vector.constant(code, 0.5))
  const raised = vector.op('pmax', vector.constant(code, 0), middle)
  const step = vector.op('pmin', raised, render(found.last))
  const whole = vector.op('add', step, vector.constant(code, rounding[vector.bytes].add))
  const bytes = op('i32x4.mul', whole, code.constant('i32x4', found.width * vector.bytes))
  const places = code.let('v128', 'place', op('i32x4.add', bytes, first))
  return Array.from({ length: vector.lanes }, (_, lane) =>
    code.let('i32', 'entry', laned('i32x4.extract_lane', [(lane * 4) / vector.lanes], places)),
  )
}
