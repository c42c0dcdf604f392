/**
 * WebGPU as a backend of manybody: WGSL compute, in browsers and in Node.
 *
 * @module
 */
import type { Backend } from '@manybody/core'
import { type AdapterOptions, findAdapter, probeOf } from './adapter.ts'
import { WebGpuDevice } from './device.ts'
import { backendName, openHost } from './gpu-host.ts'

export type { AdapterOptions } from './adapter.ts'
export type { GpuTimedSequence } from './sequence.ts'

export interface WebGpuOptions extends AdapterOptions {
  /** Asks for no more than the limits that every WebGPU device has. */
  readonly defaultLimits?: boolean
}

/** The WebGPU backend. Nothing is loaded or opened before it is probed. */
export function webgpu(options: WebGpuOptions = {}): Backend {
  return {
    name: backendName,
    probe: async (open) => probeOf(await findAdapter(options, open)),
    open: async (open) => new WebGpuDevice(await openHost(await findAdapter(options, open), options.defaultLimits)),
  }
}
