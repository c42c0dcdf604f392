/**
 * Reads table entries for a register of pairs. All tables of one shape share one index per lane. Core has clamped the kinds of all
 * points, but a unit of the loop may reach past them, where memory holds any numbers. So places are kept inside the array.
 *
 * @module
 */
import type { Expr, PairBody } from '@manybody/core/expression'
import type { ModuleWriter, Values } from '../expressions/module-writer.ts'
import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i32, laneAt, laned, type Node, op } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { laneAddresses, rounding } from './lane-addresses.ts'
import { firstSteps, stepAddresses } from './step-reads.ts'

/** Name of the slot with the address of the tables, and that of the address in every lane. */
const [tableAddress, tableAddresses] = ['tables', 'tableAddresses']

/** Name of the last place, in every lane. From there, a read may reach the region after the tables, which does no harm. */
const lastPlace = 'lastPlace'

/** The address of the tables, and the last place in them, if a body reads them. */
export function tablesOf(
  writer: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  { reads }: PairBody,
): [string, Node][] {
  if (reads.length === 0) return []
  const last = op('i32.sub', writer.slot(code, block, 'tableCount'), i32(1))
  const address = writer.slot(code, block, tableAddress)
  return [
    [tableAddresses, code.let('v128', tableAddresses, op('i32x4.splat', address))],
    [lastPlace, code.let('v128', lastPlace, op('i32x4.splat', last))],
    ...firstSteps({ vector: writer.vector, offset: (name) => writer.offset(name) }, code, block, address, reads),
  ]
}

/**
 * The values of a pair with the table entries by name, and with the bindings that their places need.
 *
 * @param suffix that of the names of these bindings
 */
export function readTables(
  writer: ModuleWriter,
  code: FunctionBuilder,
  { reads }: PairBody,
  values: Values,
  suffix: string,
): Values {
  if (reads.length === 0) return values
  const { vector } = writer
  const all = new Map(values)
  const render = (e: Expr) => writer.evaluate(code, all, [])(e)
  const { add, bits } = rounding[vector.bytes]
  const placeAddresses = (place: Expr) => {
    const addresses = value(code)`
      lanes real = ${vector.type}
      const rounded = (${render(place)} as real + ${add}) as i32x4
      const whole = ${bits === 0} ? rounded : rounded - ${bits}
      const inside = i32x4.min_u(whole, ${values.get(lastPlace) as Node}) as i32x4
      (inside << ${Math.log2(vector.bytes)}) + ${values.get(tableAddresses) as Node} as i32x4`
    return laneAddresses(vector, code, addresses)
  }
  for (const { before, place, numbers } of reads) {
    for (const { name, expr } of before) all.set(name, code.let('v128', `${name}${suffix}`, render(expr)))
    const addresses = stepAddresses(vector, code, values, place, render) ?? placeAddresses(place)
    for (const quad of quadsOf(numbers)) {
      const entries = readerOf(quad, vector)(writer, code, addresses, quad)
      for (const { name, offset } of quad) all.set(name, code.let('v128', name, entries(offset)))
    }
  }
  return all
}

type Numbers = PairBody['reads'][number]['numbers']

/** Groups of entries of which the first and the last are at most 3 apart. */
function quadsOf(numbers: Numbers): readonly Numbers[] {
  const quads: Numbers[number][][] = []
  for (const one of numbers.toSorted((a, b) => a.offset - b.offset)) {
    const first = quads.at(-1)?.[0]
    if (first && one.offset - first.offset < 4) quads.at(-1)?.push(one)
    else quads.push([one])
  }
  return quads
}

type Reader = (writer: ModuleWriter, code: FunctionBuilder, addresses: readonly Node[], quad: Numbers) => EntriesAt
/** The register of the entries at an offset. */
type EntriesAt = (offset: number) => Node

/** The way to read a group in the fewest instructions. */
function readerOf(quad: Numbers, { bytes }: Vector): Reader {
  if (quad.length > 2) return transposed
  const adjacent = quad.length === 2 && spanOf(quad) === 2
  return adjacent ? (bytes === 4 ? inTwos : transposed) : eachLane
}

/** How many numbers lie from the first to the last. */
const spanOf = (quad: Numbers): number => (quad.at(-1)?.offset ?? 0) - (quad[0]?.offset ?? 0) + 1

/** An entry for each lane, one by one. */
const eachLane: Reader =
  ({ vector }, code, addresses) =>
  (offset) =>
    addresses.reduce<Node>(
      (register, address, lane) => vector.loadLane(lane, offset * vector.bytes, address, register),
      code.constant('i32x4', 0),
    )

/** Two neighbouring entries of float32 for each lane: a register holds those of two lanes. */
const inTwos: Reader = ({ vector }, code, addresses, [first]) => {
  const start = first?.offset ?? 0
  const halves = [0, 2].map((lane) => {
    const low = at('v128.load64_zero', start * vector.bytes, addresses[lane] as Node)
    return code.let(
      'v128',
      'two',
      laneAt('v128.load64_lane', start * vector.bytes, 1, addresses[lane + 1] as Node, low),
    )
  }) as unknown as Two
  const every = (n: number) => [0, 8, 16, 24].flatMap((lane) => [0, 1, 2, 3].map((byte) => lane + 4 * n + byte))
  return (offset) => laned('i8x16.shuffle', every(offset - start), ...halves)
}

/** Up to four entries for each lane: a register holds the neighbours of one lane, and shuffles exchange rows and columns. */
const transposed: Reader = ({ vector }, code, addresses, quad) => {
  const start = quad[0]?.offset ?? 0
  const row = (lane: number, part = 0) =>
    code.let('v128', 'row', at('v128.load', (start + part) * vector.bytes, addresses[lane] as Node))
  if (vector.bytes === 8) {
    const parts = (spanOf(quad) > 2 ? [0, 2] : [0]).map((part) => [row(0, part), row(1, part)] as const)
    return (offset) => interleave(parts[(offset - start) >> 1] as Two, 8, (offset - start) % 2)
  }
  const rows = [0, 1, 2, 3].map((lane) => row(lane))
  const pairs = [0, 1].map((half) =>
    [0, 2].map((lane) => code.let('v128', 'pair', interleave([rows[lane] as Node, rows[lane + 1] as Node], 4, half))),
  )
  return (offset) => interleave(pairs[(offset - start) >> 1] as unknown as Two, 8, (offset - start) % 2)
}

type Two = readonly [Node, Node]

/** The lower or the upper numbers of two registers in turn. */
function interleave([a, b]: Two, bytes: number, half: number): Node {
  const lanes = Array.from(
    { length: 16 },
    (_, n) => 8 * half + bytes * Math.floor(n / (2 * bytes)) + (n % bytes) + (n % (2 * bytes) < bytes ? 0 : 16),
  )
  return laned('i8x16.shuffle', lanes, a, b)
}
