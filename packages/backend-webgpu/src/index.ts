/**
 * The WebGPU backend: WGSL compute shaders, in browsers, Node and Deno.
 *
 * @module
 */
import type { Backend, Device } from '@manybody/core'
import type { Learned } from '@manybody/core/backend'
import { describe, flag, held, learnedOf, listOf, oneOf, onlyNamed } from '@manybody/core/backend'
import { WebGpuDevice } from './device.ts'
import { type AdapterOptions, findAdapter, probeOf } from './run/host/adapter.ts'
import { backendName, openHost } from './run/host/host.ts'

export type { Learned } from '@manybody/core/backend'
export type { AdapterOptions } from './run/host/adapter.ts'
export type { GpuTimedSequence } from './run/programs/sequence.ts'

export interface WebGpuOptions extends AdapterOptions {
  /** Opens devices with the limits that every WebGPU device has, even if the adapter allows more. */
  readonly defaultLimits?: boolean
  /** Plans that an earlier session found fastest: the result of `learnedPlans(device)`, which is JSON. */
  readonly learned?: Learned
}

/** The plans that a device opened with `tune` has found fastest so far; empty for any other device. */
export function learnedPlans(device: Device): Learned {
  return device instanceof WebGpuDevice ? device.learned : {}
}

/** The WebGPU backend. Nothing is loaded or opened before it is probed. */
export function webgpu(options: WebGpuOptions = {}): Backend {
  const known = ['powerPreference', 'dawn', 'defaultLimits', 'learned', 'device']
  onlyNamed(options, 'option of webgpu', known, { defaultLimits: flag })
  const { powerPreference, dawn, learned: given = {}, device } = options
  if (device !== undefined) requireDevice(options)
  const learned = learnedOf(given)
  if (powerPreference !== undefined) oneOf(powerPreference, 'powerPreference', ['low-power', 'high-performance'])
  if (dawn !== undefined) listOf(dawn, 'dawn', 'toggles')
  return {
    name: backendName,
    // The engine prefers this to other backends on the same hardware.
    preference: -0.5,
    probe: async (open) => probeOf(await findAdapter(options, open)),
    open: async (open) => {
      const host = await openHost(await findAdapter(options, open), options.defaultLimits)
      return held(new WebGpuDevice(host, open?.tune, learned))
    },
  }
}

/** Checks that the caller's device is a device, and that no option says how to open another. @throws TypeError */
function requireDevice({ device, powerPreference, dawn, defaultLimits }: WebGpuOptions): void {
  const { queue, limits, lost } = Object(device)
  if (!queue || !limits || !lost)
    throw new TypeError(`"device" expected a GPUDevice, as adapter.requestDevice() gives it, got ${describe(device)}`)
  for (const [name, value] of Object.entries({ powerPreference, dawn, defaultLimits }))
    if (value !== undefined)
      throw new TypeError(`"${name}" applies to opening a device, but "device" is already open; leave one of them out`)
}
