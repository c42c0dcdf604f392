/**
 * Further tables like the plan model: when to meet each pair once and in what sizes, and how many invocations share the
 * selection of neighbours. The first row that matches wins.
 *
 * @module
 */
import { h200, never, notes } from './records.ts'

/** When a device that can meet each pair once does so by default. */
export interface OnceRow {
  /** The row matches from this number of points on. */
  readonly from: number
  /** The row matches up to this number of registers per target. */
  readonly registers: number
  readonly pays: boolean
  /** Default number of targets of an invocation. */
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

/** @param registers numbers that stay in registers per target; by default, only rows without a limit match */
export function onceRow(points: number, registers: number = all): OnceRow {
  return reached(
    onceModel.filter((row) => registers <= row.registers),
    points,
  )
}

/**
 * Up to this number of points, a rolled loop is the first to meet each pair once. At 65,536 points it computes for 9 ms instead
 * of 1.7, and compiles 0.1 to 0.2 s faster (docs/notes/webgpu.md).
 */
export const mostPointsRolled = 65536

/** How points go round a subgroup. */
export interface TurnRow {
  /** The row matches from this number of targets per invocation on. */
  readonly from: number
  /** Whether an invocation fetches each point from the invocation that loaded it, instead of from its neighbour. */
  readonly fetched: boolean
  /** Default number of turns per step of the inner loop. */
  readonly unroll: number
  /** As in the plan model. */
  readonly record: string
}

export const turnModel: readonly TurnRow[] = [
  { from: 16, fetched: true, unroll: 2, record: h200 },
  { from: 0, fetched: false, unroll: 4, record: h200 },
]

export const turnRow = (targets: number): TurnRow => reached(turnModel, targets)

/** How many invocations share a target in the selection of neighbours: more if there are too few targets to hide latency. */
export interface ShareRow {
  /** The row matches from this number of targets on. */
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

/** The first row that a count reaches. Invalid counts get the last row, and are rejected elsewhere. */
function reached<Row extends { readonly from: number }>(rows: readonly Row[], count: number): Row {
  const row = rows.find(({ from }) => count >= from) ?? rows.at(-1)
  if (!row) throw new Error('a table without rows')
  return row
}
