/**
 * The CPU backend: SIMD WebAssembly on all cores, generated for each workload.
 *
 * @module
 */
import type { Backend, Device, DeviceInfo, Probe } from '@manybody/core'
import {
  BackendUnavailableError,
  finite,
  held,
  type Learned,
  learnedOf,
  oneOf,
  onlyNamed,
} from '@manybody/core/backend'
import { WasmDevice } from './device.ts'
import { processor } from './run/host/adapter.ts'
import { mayCompile, relaxedSimd, simd } from './run/host/features.ts'
import { addressSpace } from './run/host/memory.ts'
import { threadsOf } from './run/threads/threads.ts'
import { listBytes, resultBytes } from './support.ts'

export type { Learned } from '@manybody/core/backend'

const backend = 'cpu-wasm'

export interface CpuWasmOptions {
  /** Work that takes longer than this many milliseconds on one thread is shared with others. By default timing decides. */
  readonly threadsFrom?: number
  /**
   * Where workers get their code: from the file `worker.js` beside this module, or inline. Inline code needs no file, but in
   * pages it needs a Content-Security-Policy with `worker-src blob:`. By default pages try the file, then inline; other
   * platforms use inline code.
   */
  readonly workers?: 'file' | 'inline'
  /** Plans that an earlier session found fastest: the result of `learnedPlans(device)`, which is JSON. */
  readonly learned?: Learned
}

/** The plans that a device opened with `tune` has found fastest so far; empty for any other device. */
export function learnedPlans(device: Device): Learned {
  return device instanceof WasmDevice ? device.learned : {}
}

/** The CPU backend. Nothing is started before a program is prepared. */
export function cpuWasm(options: CpuWasmOptions = {}): Backend {
  const known = ['threadsFrom', 'workers', 'learned']
  if ('widen' in Object(options))
    throw new TypeError(
      '"widen" is not an option of cpuWasm; it was removed, because this experiment of V8 compiles some loops wrongly and ends the process in Node 26',
    )
  onlyNamed(options, 'option of cpuWasm', known, { threadsFrom: duration })
  const { threadsFrom, workers, learned: given = {} } = options
  const learned = learnedOf(given)
  if (workers !== undefined) oneOf(workers, 'workers', ['file', 'inline'])
  return {
    name: backend,
    async probe(options) {
      const reason = missing()
      if (reason) return { available: false, reason }
      const cpu = processor()
      return {
        available: true,
        device: cpu.name,
        kind: 'cpu',
        features: [...features(), ...(threadsOf(options?.threads ?? cpu.threads) > 1 ? ['threads'] : [])],
      } satisfies Probe
    },
    async open(options) {
      const reason = missing()
      if (reason) throw new BackendUnavailableError(backend, reason)
      const cpu = processor()
      const wanted = options?.threads ?? cpu.threads
      const threads = threadsOf(wanted)
      const notes = [
        ...(threads < wanted
          ? [
              `${threads} of ${wanted} threads are used, ${threads === 1 ? 'because this engine has no workers' : 'the most that this backend supports'}`,
            ]
          : []),
      ]
      const info: DeviceInfo = {
        backend,
        name: cpu.name,
        kind: 'cpu',
        precision: options?.precision ?? 'f32',
        features: features(),
        limits: { threads, memoryBytes: addressSpace, resultBytes, listBytes },
        notes,
      }
      return held(await WasmDevice.open(info, { threads, threadsFrom, workers, tune: options?.tune, learned }))
    },
  }
}

/** Checks a number of milliseconds, which may be infinite. */
function duration(value: unknown, name: string): void {
  if (value !== Number.POSITIVE_INFINITY) finite(value, name, 0)
}

/** Why this backend cannot run here; undefined if it can. */
function missing(): string | undefined {
  if (typeof WebAssembly !== 'object')
    return 'this engine has no WebAssembly; use a current browser or Node 20 or later'
  if (!simd()) return 'this engine has no WebAssembly SIMD; use a browser from 2023 or later, or Node 20 or later'
  if (!mayCompile())
    return "the Content-Security-Policy of this page forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src"
  return undefined
}

const features = (): readonly string[] => ['simd', 'f64', ...(relaxedSimd() ? ['relaxed-simd'] : [])]
