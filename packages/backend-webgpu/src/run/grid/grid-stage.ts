/**
 * A sum through a grid as a stage of a sequence, with its arrays bound.
 *
 * @module
 */
import type { DeviceBuffer } from '@manybody/core'
import type { GridStage, GridSum } from '@manybody/core/backend'
import { type GridDesign, type GridDesigner, gridKeys } from '../../design/grid-design.ts'
import { writeBytes } from '../../quirks/empty-write.ts'
import { HeldArray } from '../host/held-array.ts'
import type { GpuHost } from '../host/host.ts'
import type { Lease } from '../host/memory.ts'
import type { BoundDispatch, BuffersByKey } from '../programs/bound.ts'
import { bound, bufferOf, pipelineOf } from '../programs/loaded-at-once.ts'
import type { Piece } from '../programs/rounds.ts'

/** How many pairs of a plain loop take as long as a point of a window, and as a number of a grid: they only divide work. */
const [forWindow, forNumber] = [2, 40]

/** The arrays of the sums of a sequence. Its stages run one after the other, so those with one sum over as many points share its arrays. */
export type SumArrays = { readonly grid: GridSum; readonly points: number; readonly buffers: BuffersByKey }[]

/** @throws TypeError for a buffer of another device, RangeError for a sum that is too large for the device */
export async function gridPiece(
  host: GpuHost,
  { grid, position, weights, fields }: GridStage,
  designer: GridDesigner,
  lease: Lease,
  shared: SumArrays,
): Promise<Piece> {
  const points = position.length / grid.dimension
  const design = designer.stage(grid, points, host.limits)
  if (!design)
    throw new RangeError(
      `"grid" expected at most what the arrays of the device hold, got ${grid.sizes.join(' x ')} numbers; compute it between sequences`,
    )
  const known = shared.find((one) => one.grid === grid && one.points === points)
  const own = known ?? { grid, points, buffers: await arraysOf(host, design, lease) }
  if (!known) shared.push(own)
  const buffers: BuffersByKey = new Map(own.buffers)
  buffers.set(gridKeys.position, ofDevice(position, 'position'))
  for (const [n, weight] of weights.entries()) buffers.set(gridKeys.weight(n), ofDevice(weight, `weights[${n}]`))
  for (const [n, field] of fields.entries()) buffers.set(gridKeys.field(n), ofDevice(field, `fields[${n}]`))
  const dispatches: BoundDispatch[] = []
  for (const dispatch of design.dispatches)
    dispatches.push(await bound(host, { buffers, lease }, await pipelineOf(host, dispatch.shader), dispatch))
  const numbers = grid.sizes[0] * grid.sizes[1] * grid.sizes[2]
  const interactions = forWindow * points * grid.window.width ** grid.dimension + forNumber * numbers
  return { step: { dispatches, interactions, done: 1, reads: [] }, copies: [] }
}

async function arraysOf(host: GpuHost, { arrays, tables }: GridDesign, lease: Lease): Promise<BuffersByKey> {
  const buffers: BuffersByKey = new Map()
  for (const [key, bytes] of Object.entries(arrays)) buffers.set(key, await lease.array(bytes))
  for (const [key, table] of Object.entries(tables())) writeBytes(host.device.queue, bufferOf(buffers, key), table)
  return buffers
}

function ofDevice(array: DeviceBuffer, name: string): GPUBuffer {
  if (array instanceof HeldArray) return array.buffer
  throw new TypeError(`"${name}" expected a buffer of this device, got one of another device`)
}
