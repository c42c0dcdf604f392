/**
 * Numbers beside the plan model, as tables of the same kind: when each pair is met once, with which sizes, and how many
 * invocations share the selection of neighbours. The first row that matches wins.
 *
 * @module
 */
import { h200, never, notes } from './records.ts'

/** When a device that can meet each pair once does so without being asked. */
export interface OnceRow {
  /** Points, at least. */
  readonly from: number
  /** Numbers that stay in registers per target, at most. */
  readonly registers: number
  readonly pays: boolean
  /** Targets of an invocation, unless they are asked for. */
  readonly targets: number
  /** As in the plan model. */
  readonly record: string
}

const all = Number.POSITIVE_INFINITY

export const onceModel: readonly OnceRow[] = [
  { from: 65536, registers: 7, pays: true, targets: 16, record: h200 },
  { from: 16384, registers: all, pays: true, targets: 8, record: h200 },
  { from: 0, registers: all, pays: false, targets: 2, record: never },
]

/** @param registers numbers that stay in registers per target; by default more than any row limits */
export function onceRow(points: number, registers: number = all): OnceRow {
  return reached(
    onceModel.filter((row) => registers <= row.registers),
    points,
  )
}

/** How points go round a subgroup. */
export interface TurnRow {
  /** Targets of an invocation, at least. */
  readonly from: number
  /** Whether each point is fetched from where it was loaded, in place of from the neighbour. */
  readonly fetched: boolean
  /** Turns per step of the inner loop, unless they are asked for. */
  readonly unroll: number
  /** As in the plan model. */
  readonly record: string
}

export const turnModel: readonly TurnRow[] = [
  { from: 16, fetched: true, unroll: 2, record: h200 },
  { from: 0, fetched: false, unroll: 4, record: h200 },
]

export const turnRow = (targets: number): TurnRow => reached(turnModel, targets)

/** Invocations that share a target in the selection of neighbours: more, where few targets cannot hide the latency of memory. */
export interface ShareRow {
  /** Targets, at least. */
  readonly from: number
  readonly shares: number
  /** As in the plan model. */
  readonly record: string
}

export const shareModel: readonly ShareRow[] = [
  { from: 20481, shares: 2, record: notes },
  { from: 0, shares: 4, record: notes },
]

export const sharesOf = (targets: number): number => reached(shareModel, targets).shares

/** The first row that a count reaches. For other values it is the last row; they are refused elsewhere. */
function reached<Row extends { readonly from: number }>(rows: readonly Row[], count: number): Row {
  const row = rows.find(({ from }) => count >= from) ?? rows.at(-1)
  if (!row) throw new Error('a table without rows')
  return row
}
