/**
 * Sums through a grid on the device. The latest ones keep their arrays and bound dispatches, until the memory needs the room.
 *
 * @module
 */
import type { FloatArray, RunOptions } from '@manybody/core'
import type { GridPoints, GridSum } from '@manybody/core/backend'
import { type GridCounts, type GridDesigner, gridKeys } from '../../design/grid-design.ts'
import { writeBytes } from '../../quirks/empty-write.ts'
import type { GpuHost } from '../host/host.ts'
import type { Lease, Memory } from '../host/memory.ts'
import { partBuffers, readInParts } from '../host/read-in-parts.ts'
import { largeBytes, writeInParts } from '../host/write-in-parts.ts'
import type { BoundDispatch, BuffersByKey } from '../programs/bound.ts'
import { bound, bufferOf, encode, pipelineOf } from '../programs/loaded-at-once.ts'

/** A run and its judges take turns. */
const mostKept = 2

/** A sum with its arrays bound. */
interface BoundSum {
  readonly sum: GridSum
  readonly counts: GridCounts
  readonly buffers: BuffersByKey
  readonly dispatches: readonly BoundDispatch[]
  readonly parts: readonly GPUBuffer[]
  readonly lease: Lease
}

export class GridSums {
  readonly #host: GpuHost
  readonly #memory: Memory
  readonly #designer: GridDesigner
  readonly #kept: BoundSum[] = []

  constructor(host: GpuHost, memory: Memory, designer: GridDesigner) {
    this.#host = host
    this.#memory = memory
    this.#designer = designer
  }

  /** The fields at the targets, field by field within each; undefined for a sum that is too large for the device. */
  async run(
    sum: GridSum,
    { sources, weights, targets }: GridPoints,
    { signal }: Pick<RunOptions, 'signal'>,
  ): Promise<Float32Array | undefined> {
    const counts = { sources: sources.length / sum.dimension, targets: targets && targets.length / sum.dimension }
    const one = this.#take(sum, counts) ?? (await this.#bind(sum, counts))
    if (!one) return undefined
    try {
      await this.#write(one, gridKeys.shares('sources'), sharesOf(sources, sum))
      if (targets) await this.#write(one, gridKeys.shares('targets'), sharesOf(targets, sum))
      await this.#write(one, gridKeys.weights, joined(weights))
      signal?.throwIfAborted()
      const found = new Float32Array(sum.fields.length * (counts.targets ?? counts.sources))
      await this.#compute(one, found)
      this.#keep(one)
      return found
    } catch (error) {
      one.lease.release()
      throw error
    }
  }

  #take(sum: GridSum, { sources, targets }: GridCounts): BoundSum | undefined {
    const at = this.#kept.findIndex(
      (one) => one.sum === sum && one.counts.sources === sources && one.counts.targets === targets,
    )
    const [one] = at < 0 ? [] : this.#kept.splice(at, 1)
    one?.lease.wake()
    return one
  }

  #keep(one: BoundSum): void {
    this.#kept.push(one)
    one.lease.rest(() => this.#kept.splice(this.#kept.indexOf(one), 1))
    if (this.#kept.length > mostKept) this.#kept.shift()?.lease.release()
  }

  async #bind(sum: GridSum, counts: GridCounts): Promise<BoundSum | undefined> {
    const design = this.#designer.sum(sum, counts, this.#host.limits)
    if (!design) return undefined
    const lease = this.#memory.lease()
    try {
      const buffers: BuffersByKey = new Map()
      for (const [key, bytes] of Object.entries(design.arrays)) buffers.set(key, await lease.array(bytes))
      const dispatches: BoundDispatch[] = []
      const pipelines = await Promise.all(design.dispatches.map(({ shader }) => pipelineOf(this.#host, shader)))
      for (const [n, dispatch] of design.dispatches.entries())
        dispatches.push(
          await bound(this.#host, { buffers, lease }, pipelines[n] as (typeof pipelines)[number], dispatch),
        )
      const one = { sum, counts, buffers, dispatches, parts: await partBuffers(lease), lease }
      for (const [key, table] of Object.entries(design.tables())) await this.#write(one, key, table)
      return one
    } catch (error) {
      lease.release()
      throw error
    }
  }

  /** The device takes an array before any work that is submitted afterwards. */
  async #write({ buffers, lease }: BoundSum, key: string, from: ArrayBufferView<ArrayBuffer>): Promise<void> {
    const into = bufferOf(buffers, key)
    if (from.byteLength > largeBytes) await writeInParts(this.#host, from, into, lease)
    else writeBytes(this.#host.device.queue, into, from)
  }

  async #compute({ buffers, dispatches, parts }: BoundSum, found: Float32Array<ArrayBuffer>): Promise<void> {
    const { device } = this.#host
    const submitted = this.#host.guarded('submit a sum through a grid', () => {
      const encoder = device.createCommandEncoder()
      const pass = encoder.beginComputePass()
      encode(pass, dispatches)
      pass.end()
      device.queue.submit([encoder.finish()])
    })
    const read = readInParts(this.#host, bufferOf(buffers, gridKeys.found), new Uint32Array(found.buffer), parts)
    const [sent, done] = await Promise.allSettled([submitted, read])
    if (sent.status === 'rejected') throw sent.reason
    if (done.status === 'rejected') throw done.reason
  }
}

/** Coordinates as shares of the edges of a box, in units of 2^-32, for points outside the box by any distance. */
function sharesOf(positions: FloatArray, { dimension, lengths }: GridSum): Uint32Array<ArrayBuffer> {
  const edges = dimension === 2 ? [lengths[0], lengths[2]] : lengths
  const shares = new Uint32Array(positions.length)
  for (const [axis, edge] of edges.entries()) writeShares(positions, shares, edge, axis, dimension)
  return shares
}

/** Those along one axis. */
function writeShares(from: FloatArray, to: Uint32Array, edge: number, first: number, step: number): void {
  for (let at = first; at < from.length; at += step) {
    const share = (from[at] as number) / edge
    to[at] = (share - Math.floor(share)) * 2 ** 32
  }
}

/** All weights in float32, one after the other. */
function joined(weights: readonly FloatArray[]): Float32Array<ArrayBuffer> {
  const [{ length } = new Float64Array()] = weights
  const all = new Float32Array(weights.length * length)
  for (const [n, weight] of weights.entries()) all.set(weight, n * length)
  return all
}
