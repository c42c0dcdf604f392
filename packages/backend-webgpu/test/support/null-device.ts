// A device on Dawn's null backend, which refuses, runs out and is lost as others are, and computes nothing; and some work for
// it.

import { accelerations, type Bindings, gravity, type PairWorkload, type PointSet, type Shape } from '@manybody/core'
import { WebGpuDevice } from '../../src/device.ts'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { type GpuHost, openHost } from '../../src/run/host/host.ts'

export const count = 64
export const shape: Shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] }
export const workload: PairWorkload<'acceleration'> = accelerations(gravity({ softening: 0.1 }))
export const arrays: Readonly<Record<'position' | 'mass', Float32Array>> = {
  position: new Float32Array(3 * count),
  mass: new Float32Array(count),
}
const points: PointSet = { count, arrays }
export const bindings: Bindings = { targets: points, sources: points, parameters: workload.law.parameters }

export async function opened(): Promise<{ host: GpuHost; device: WebGpuDevice }> {
  const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))
  return { host, device: new WebGpuDevice(host) }
}

/** The error, or `none`. */
export const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => error,
  )
