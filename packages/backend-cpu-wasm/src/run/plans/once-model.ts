/**
 * Decides when each pair is visited once by default, and chooses the size of its tiles.
 *
 * @module
 */
import { fewestOnce } from '../../design/loop-plan.ts'

export interface OnceRow {
  /** The row matches from this number of points on, and up to this number of threads. */
  readonly from: number
  readonly threads: number
  readonly pays: boolean
  /** The record, or the note, that timed both ways. */
  readonly record: string
}

const [rivals, notes] = ['bench/records/2026-11-25-rivals.json', 'docs/notes/cpu-wasm.md']

/** The first row that matches wins. With few points, many threads spend longer on adding up their totals than on the pairs. */
export const onceModel: readonly OnceRow[] = [
  { from: 4096, threads: Number.POSITIVE_INFINITY, pays: true, record: notes },
  { from: fewestOnce, threads: 8, pays: true, record: rivals },
  { from: fewestOnce, threads: Number.POSITIVE_INFINITY, pays: false, record: notes },
  { from: 0, threads: Number.POSITIVE_INFINITY, pays: false, record: 'not recorded' },
]

export function oncePays(points: number, threads: number): boolean {
  return onceModel.find((row) => points >= row.from && threads <= row.threads)?.pays === true
}

/** Tile sizes with their speeds when no thread waits. docs/notes/cpu-wasm.md */
const tiles = [
  { tile: 256, speed: 1 },
  { tile: 128, speed: 0.95 },
  { tile: 64, speed: 0.9 },
]
/** A thread waits for others for this fraction of the time of a pair of tiles. */
const waiting = 0.5

/** The number of points in a tile: fewer where large tiles would leave threads without work. */
export function onceTile(points: number, threads: number): number {
  const speedOf = ({ tile, speed }: (typeof tiles)[number]): number => {
    const count = Math.ceil(points / tile)
    const share = (count * (count + 1)) / 2 / threads
    return (speed * share) / (share + waiting)
  }
  return tiles.reduce((best, row) => (speedOf(row) > speedOf(best) ? row : best)).tile
}
