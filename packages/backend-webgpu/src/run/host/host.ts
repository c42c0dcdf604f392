/**
 * An opened GPU as the rest of this backend uses it. It requests limits and features, catches errors where they arise, and
 * notices the loss of the device. It knows nothing about workloads.
 *
 * @module
 */

import type { DeviceInfo, LossReason } from '@manybody/core'
import { BackendUnavailableError, DeviceLostError } from '@manybody/core/backend'
import type { LoopHost, Subgroups } from '../../design/facts.ts'
import { destroyAtExit } from '../../quirks/exiting-dawn.ts'
import { keepFreedMemory } from '../../quirks/freed-memory.ts'
import { isLong, quietly } from '../../quirks/polled-dawn.ts'
import type { FoundAdapter } from './adapter.ts'

export const backendName = 'webgpu'

export interface GpuHost extends LoopHost {
  readonly device: GPUDevice
  readonly info: DeviceInfo
  readonly limits: GPUSupportedLimits
  readonly lost: Promise<LossReason>
  /** @throws {@link DeviceLostError} if the device is lost: it then returns zeros. Error if it refused work without an error scope. */
  check(): void
  /** Throws the reason why a call failed: the loss of the device if it was lost, else the error itself. */
  blame(error: unknown): Promise<never>
  /**
   * Runs calls, waits for the errors that WebGPU reports later, and throws them. Each kind of error costs time; memory runs out
   * only where buffers are created or written.
   */
  guarded<T>(action: string, call: () => T, kinds?: readonly GPUErrorFilter[]): Promise<T>
  /** Encodes small work. That of one turn of the event loop is submitted together, when the turn ends: await it before other work on the same buffers. */
  together(encode: (encoder: GPUCommandEncoder) => void): Promise<void>
  /** Whether asking for the end of work is dear, as `quirks/polled-dawn.ts` says. */
  readonly polled: boolean
  /**
   * Waits until all submitted work has finished.
   *
   * @param atLeast milliseconds that it takes
   * @throws {@link DeviceLostError}
   */
  finished(atLeast?: number): Promise<void>
  /** Buffers that exist. A device of the caller continues to exist when this host is disposed of, so the host must destroy them. */
  readonly buffers: Set<GPUBuffer>
  dispose(): void
}

/** Limits that speed up loops and arrays if they are raised; the others keep their defaults. */
const wantedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
] as const

/** The least limits that every loop relies on. Devices in the compatibility mode of WebGPU may have less. */
const neededLimits = { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 16384 } as const

/** Functions that this backend needs, and that early versions of WebGPU lack. */
const neededFunctions = ['createComputePipelineAsync', 'pushErrorScope', 'popErrorScope'] as const

/** How long a device may take, on a busy machine, to report its loss after a call has failed. */
const lossMilliseconds = 3000

const wantedFeatures = ['timestamp-query', 'subgroups'] as const

/** @throws {@link BackendUnavailableError} */
export async function openHost(found: FoundAdapter, defaultLimits = false): Promise<GpuHost> {
  if (!found.ok) throw new BackendUnavailableError(backendName, found.reason, { cause: found.cause })
  const device = 'given' in found ? found.given : await openDevice(found, defaultLimits)
  const missing = neededFunctions.find((name) => typeof device[name] !== 'function')
  if (missing) {
    const reason = `this WebGPU is too old: its devices have no ${missing}; update the browser or the package "webgpu"`
    throw new BackendUnavailableError(backendName, reason)
  }
  for (const [name, least] of Object.entries(neededLimits) as [keyof typeof neededLimits, number][]) {
    if (!(device.limits[name] < least)) continue
    const reason = `the device has ${name} ${device.limits[name]}, and ${least} are needed; request a device with the limits of its adapter`
    throw new BackendUnavailableError(backendName, reason)
  }
  return hostOf(device, found)
}

async function openDevice(
  { adapter, name }: Extract<FoundAdapter, { adapter: unknown }>,
  defaultLimits: boolean,
): Promise<GPUDevice> {
  const requiredLimits = defaultLimits
    ? {}
    : Object.fromEntries(wantedLimits.map((limit) => [limit, adapter.limits[limit]]))
  const requiredFeatures = wantedFeatures.filter((feature) => adapter.features.has(feature))
  try {
    return await adapter.requestDevice({ requiredLimits, requiredFeatures })
  } catch (cause) {
    const reason = `the adapter ${name} refused to open a device (${String(cause).split('\n')[0]}); close other pages that use it, or update its driver`
    throw new BackendUnavailableError(backendName, reason, { cause })
  }
}

function hostOf(device: GPUDevice, found: Extract<FoundAdapter, { ok: true }>): GpuHost {
  const given = 'given' in found
  const buffers = new Set<GPUBuffer>()
  if (found.dawn) keepFreedMemory()
  const forget = found.dawn ? destroyAtExit(device) : undefined
  let loss: LossReason | undefined
  let disposed = false
  const lost = new Promise<LossReason>((resolve) => {
    void device.lost.then(({ reason, message }) => {
      if (disposed) return
      loss = {
        reason: message || reason || 'no reason was given',
        remedy: `${given ? 'give another device' : 'open the backend again'}; if a watchdog reset the device, use fewer points per run`,
        ...(given && { final: true as const }),
      }
      resolve(loss)
    })
  })
  // Work that was accepted once is submitted again without an error scope. If it is refused after all, the device says so here.
  let refusal: string | undefined
  const refuse = ({ error }: GPUUncapturedErrorEvent): void => {
    refusal ??= error.message.trim()
  }
  if (!given) device.addEventListener?.('uncapturederror', refuse)
  const check = (): void => {
    if (loss) throw new DeviceLostError(backendName, loss)
    if (refusal !== undefined) {
      const reason = refusal
      refusal = undefined
      throw new Error(`Cannot use these results: the device refused what it had accepted before (${reason}); run again`)
    }
    if (disposed) throw new Error('Cannot use this device: it was disposed; open the backend again')
  }
  let joint: Joint | undefined
  const blame = async (error: unknown): Promise<never> => {
    // Calls may fail before the device reports its loss, for example while a browser notices the end of its GPU process.
    await Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, lossMilliseconds))])
    check()
    throw error
  }
  return {
    device,
    info: infoOf(device, found.name, found.kind),
    limits: device.limits,
    subgroups: subgroupsOf(device),
    lost,
    check,
    blame,
    async guarded(action, call, kinds = anyError) {
      check()
      for (const kind of kinds) device.pushErrorScope(kind)
      const outcome = attempt(call)
      // Popping a scope fails only if the device is lost. The last one pushed is popped first.
      const errors = await Promise.all(kinds.map(() => device.popErrorScope())).catch(blame)
      check()
      const failed = errors.findIndex((error) => error)
      if (failed < 0) return outcome()
      const message = errors[failed]?.message.trim()
      const what =
        kinds.toReversed()[failed] === 'out-of-memory'
          ? `the device is out of memory (${message}); dispose of arrays, or compute fewer targets at a time`
          : message
      throw new Error(`Cannot ${action}: ${what}`)
    },
    together(encode) {
      check()
      joint ??= jointIn(device, () => {
        joint = undefined
      })
      encode(joint.encoder)
      return joint.submitted
    },
    polled: found.dawn,
    async finished(atLeast = 0) {
      if (found.dawn && isLong(atLeast)) await quietly(atLeast)
      await device.queue.onSubmittedWorkDone().catch(blame)
      check()
    },
    buffers,
    dispose() {
      disposed = true
      forget?.()
      // Dawn keeps a device that somebody listens to, and its thread.
      if (!given) device.removeEventListener?.('uncapturederror', refuse)
      if (!given) device.destroy()
      else for (const buffer of buffers) buffer.destroy()
    },
  }
}

/** Work that is submitted together. */
interface Joint {
  readonly encoder: GPUCommandEncoder
  readonly submitted: Promise<void>
}

function jointIn(device: GPUDevice, ended: () => void): Joint {
  const encoder = device.createCommandEncoder()
  const submitted = Promise.resolve().then(() => {
    ended()
    device.queue.submit([encoder.finish()])
  })
  // If encoding fails, nobody awaits it.
  submitted.catch(() => {})
  return { encoder, submitted }
}

const anyError: readonly GPUErrorFilter[] = ['out-of-memory', 'validation']

/** Calls now, and returns or throws the outcome later. */
function attempt<T>(call: () => T): () => T {
  try {
    const result = call()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function subgroupsOf({ features, adapterInfo }: GPUDevice): Subgroups | undefined {
  // Early implementations of the feature do not report the sizes.
  const { subgroupMinSize: least = 0, subgroupMaxSize: most = 0 } = adapterInfo ?? {}
  return features.has('subgroups') && least > 0 && most >= least ? { least, most } : undefined
}

function infoOf(device: GPUDevice, name: string, kind: DeviceInfo['kind']): DeviceInfo {
  const { limits } = device
  return {
    backend: backendName,
    name,
    kind,
    precision: 'f32',
    features: [...device.features].sort(),
    limits: {
      resultBytes: Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize),
      bindingBytes: limits.maxStorageBufferBindingSize,
      bufferBytes: limits.maxBufferSize,
      workgroupInvocations: limits.maxComputeInvocationsPerWorkgroup,
      workgroupBytes: limits.maxComputeWorkgroupStorageSize,
      arraysPerProgram: limits.maxStorageBuffersPerShaderStage,
    },
  }
}
