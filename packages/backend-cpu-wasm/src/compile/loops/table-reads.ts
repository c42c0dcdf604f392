/**
 * Reads table entries for a register of pairs. All tables of one shape share one index per lane. Core has clamped the kinds, so
 * every index is inside the array.
 *
 * @module
 */
import type { Expr, PairBody } from '@manybody/core/expression'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { laned, type Node, op, plus, times } from '../wasm/nodes.ts'

/** Name of the slot with the address of the tables, also among the values of a loop. */
export const tableAddress = 'tables'

/** The address of the tables, if a body reads them. */
export function tablesOf(
  writer: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  { reads }: PairBody,
): [string, Node][] {
  return reads.length === 0 ? [] : [[tableAddress, writer.slot(code, block, tableAddress)]]
}

/** The table entries by name. @param render the expressions of a pair */
export function readTables(
  { vector }: ModuleWriter,
  code: FunctionBuilder,
  { reads }: PairBody,
  tables: Node,
  render: (e: Expr) => Node,
): [string, Node][] {
  return reads.flatMap(({ place, numbers }) => {
    const whole = vector.bytes === 4 ? 'i32x4.trunc_sat_f32x4_s' : 'i32x4.trunc_sat_f64x2_s_zero'
    const places = code.let('v128', 'place', op(whole, render(place)))
    const addresses = Array.from({ length: vector.lanes }, (_, lane) =>
      code.let('i32', 'entry', plus(tables, times(laned('i32x4.extract_lane', [lane], places), vector.bytes))),
    )
    return numbers.map(({ name, offset }): [string, Node] => {
      const loaded = addresses.reduce<Node>(
        (register, address, lane) => vector.loadLane(lane, offset * vector.bytes, address, register),
        code.constant('i32x4', 0),
      )
      return [name, code.let('v128', name, loaded)]
    })
  })
}
