/**
 * Finds the adapter, names it, and tells hardware from software that only looks like a GPU.
 *
 * @module
 */

import type { DeviceKind, OpenOptions, Probe, WebGpuObject } from '@manybody/core'
import { graphicsPage } from '../../quirks/graphics-page.ts'
import { type FoundGpu, findGpu } from './gpu.ts'

export interface AdapterOptions {
  readonly powerPreference?: 'low-power' | 'high-performance'
  /** Toggles for Dawn in Node. By default they make timestamps exact; browsers round them. */
  readonly dawn?: readonly string[]
  /** A `GPUDevice` of the caller, who also disposes of it. The other options have no effect then. */
  readonly device?: WebGpuObject<'GPUDevice'>
}

/** An adapter to open, or a device that the caller has opened. */
export type FoundAdapter =
  | ({
      readonly ok: true
      readonly name: string
      readonly kind: DeviceKind
      /** Whether it belongs to Dawn in Node. */
      readonly dawn: boolean
    } & ({ readonly adapter: GPUAdapter } | { readonly given: GPUDevice }))
  | { readonly ok: false; readonly reason: string; readonly cause?: unknown }

const exactTimestamps = ['disable-dawn-features=timestamp_quantization']

/** Finds an adapter, or the reason why there is none. Never throws. */
export async function findAdapter(
  { powerPreference = 'high-performance', dawn = exactTimestamps, device }: AdapterOptions,
  open: OpenOptions = {},
): Promise<FoundAdapter> {
  if (open.precision === 'f64')
    return { ok: false, reason: 'WebGPU computes in float32; leave precision at "f32" or use cpu-wasm or reference' }
  if (device) return givenDevice(device as GPUDevice)
  const found: FoundGpu = await findGpu(dawn)
  if (!found.ok) return found
  try {
    const adapter = await found.gpu.requestAdapter({ powerPreference })
    const named = adapter && { name: nameOf(adapter.info ?? {}), kind: kindOf(adapter.info, adapter) }
    if (adapter && named) return { ok: true, adapter, ...named, dawn: found.via === 'dawn' }
  } catch (cause) {
    const reason = `requesting an adapter failed (${String(cause)}); ${remedies[found.via].broken}`
    return { ok: false, reason, cause }
  }
  return { ok: false, reason: remedies[found.via].none }
}

async function givenDevice(given: GPUDevice): Promise<FoundAdapter> {
  // In early implementations, a device does not name its adapter.
  const info: Partial<GPUAdapterInfo> = given.adapterInfo ?? {}
  const lost = await Promise.race([given.lost, undefined])
  if (lost) return { ok: false, reason: `the given device was lost (${lost.message || lost.reason}); give another` }
  return { ok: true, given, name: nameOf(info), kind: kindOf(info), dawn: false }
}

const driver = 'install a GPU driver and, on Linux, the Vulkan loader (libvulkan.so.1)'

/** Advice for the user if there is no adapter (`none`), or if requesting one fails (`broken`). */
const remedies: Readonly<
  Record<Extract<FoundGpu, { ok: true }>['via'], { readonly none: string; readonly broken: string }>
> = {
  browser: {
    none: `the browser offers no adapter; enable hardware acceleration, or update the driver (${graphicsPage(String(globalThis.navigator?.userAgent))})`,
    broken: 'restart or update the browser',
  },
  deno: { none: `Deno found no adapter; ${driver}`, broken: 'update Deno' },
  dawn: { none: `Dawn found no adapter; ${driver}`, broken: 'update the package "webgpu"' },
}

export function probeOf(found: FoundAdapter): Probe {
  if (!found.ok) return { available: false, reason: found.reason }
  const { features } = 'given' in found ? found.given : found.adapter
  return { available: true, device: found.name, kind: found.kind, features: [...features].sort() }
}

/**
 * Browsers that tell more than the vendor give the device as a hexadecimal number, which is useless as a name. Dawn in Node
 * gives a name with hyphens in place of all other punctuation, even at the end: `swiftshader-device-subzero-`.
 */
function nameOf({ vendor, architecture, device = '', description }: Partial<GPUAdapterInfo>): string {
  const named = /^0x/.test(device) ? '' : device.replace(/-+$/, '')
  return named || description || [vendor, architecture].filter(Boolean).join(' ') || 'unnamed'
}

/** Recognises software by `isFallbackAdapter`, which early versions have on the adapter itself, or by name. */
function kindOf(info: Partial<GPUAdapterInfo> = {}, adapter: object = {}): DeviceKind {
  const text = [info.vendor, info.architecture, info.device, info.description].join(' ')
  const marked = [info, adapter].some((it: { readonly isFallbackAdapter?: boolean }) => it.isFallbackAdapter)
  return marked || /swiftshader|llvmpipe|lavapipe|basic render/i.test(text) ? 'software' : 'hardware'
}
