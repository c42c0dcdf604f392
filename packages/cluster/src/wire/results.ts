/**
 * The results of some blocks as bytes. Both sides derive the layout from the job, so no message decides how much memory to allocate.
 *
 * @module
 */
import type { ArrayResults } from '@manybody/core'
import { lengthOf, lengthsOf, resultArrays } from '@manybody/core/backend'
import { type ArrayRef, arrayOver, bytesOf } from './arrays.ts'
import type { ClusterJob } from './job.ts'
import { type Blocks, type Partition, pointsIn } from './partition.ts'

interface Piece extends Pick<ArrayRef, 'type' | 'length'> {
  readonly name: string
  /** The first byte. */
  readonly at: number
}

/** The result arrays of one run of a worker. If targets are divided, a run covers all blocks of the call; if sources are, one block. */
export interface RunLayout {
  readonly span: Blocks
  readonly pieces: readonly Piece[]
}

export interface Layout {
  readonly runs: readonly RunLayout[]
  readonly bytes: number
}

/** @param offsets where lists start, if the workload makes lists */
export function layoutOf(
  job: ClusterJob,
  partition: Partition,
  span: Blocks,
  offsets: Uint32Array | undefined,
): Layout {
  let bytes = 0
  const run = (one: Blocks, [first, last]: readonly [number, number]): RunLayout => {
    const pieces = arraysFor(job, first, last, offsets).map(({ name, type, length, size }) => {
      const piece = { name, type, length, at: bytes }
      bytes += 8 * Math.ceil((length * size) / 8)
      return piece
    })
    return { span: one, pieces }
  }
  const runs =
    partition.divides === 'targets'
      ? [run(span, pointsIn(partition, span))]
      : Array.from({ length: span.last - span.first }, (_, n) =>
          run({ first: span.first + n, last: span.first + n + 1 }, job.targets),
        )
  return { runs, bytes }
}

function arraysFor(job: ClusterJob, first: number, last: number, offsets: Uint32Array | undefined) {
  const rows = last - first
  if (offsets) {
    const start = first - job.targets[0]
    const entries = (offsets[start + rows] as number) - (offsets[start] as number)
    return [
      { name: 'index', type: 'Int32Array', length: entries, size: 4 },
      { name: 'count', type: 'Uint32Array', length: rows, size: 4 },
    ] as const
  }
  const arrays = resultArrays(job.workload, { ...job.shape, targets: rows }, job.precision)
  return Array.from(arrays, ([name, { Type, length }]) => ({
    name,
    type: Type.name as ArrayRef['type'],
    length,
    size: Type.BYTES_PER_ELEMENT,
  }))
}

/** Writes the results of a run into their places, unless they are there already. @throws RangeError if a device returned other arrays */
export function write(into: Uint8Array, { pieces }: RunLayout, results: ArrayResults, offsets?: Uint32Array): void {
  for (const { name, type, length, at } of pieces) {
    const array = results[name] ?? (name === 'count' && offsets ? lengthsOf({ offsets }) : undefined)
    if (array?.constructor.name !== type || array.length !== length)
      throw new RangeError(
        `"${name}" expected ${type} of length ${length}, got ${array?.constructor.name} of ${array?.length}`,
      )
    if (array.byteOffset !== into.byteOffset + at || array.buffer !== into.buffer) into.set(bytesOf(array), at)
  }
}

/** The results of a run, as views of the bytes. The bytes begin at a multiple of 8. */
export function read(bytes: Uint8Array, { pieces }: RunLayout): ArrayResults {
  return Object.fromEntries(
    pieces.map((piece) => [piece.name, arrayOver(bytes.subarray(piece.at), piece) as ArrayResults[string]]),
  )
}

/** Where the list of each row of the run starts, counted from 0. */
export function offsetsFor(job: ClusterJob, partition: Partition, span: Blocks, offsets: Uint32Array): Uint32Array {
  const [first, last] = pointsIn(partition, span)
  const start = first - job.targets[0]
  const begin = offsets[start] as number
  return offsets.slice(start, start + lengthOf([first, last]) + 1).map((offset) => offset - begin)
}
