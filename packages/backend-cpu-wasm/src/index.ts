/**
 * The processor as a backend of manybody: SIMD WebAssembly, generated for each workload, on all cores.
 *
 * @module
 */
import { type Backend, BackendUnavailableError, type Device, type DeviceInfo, type Probe } from '@manybody/core'
import { finite, flag, type Learned, learnedOf, oneOf, onlyNamed } from '@manybody/core/backend'
import { resultBytes } from './designs/support.ts'
import { WasmDevice } from './device.ts'
import { processor } from './host/adapter.ts'
import { basic, relaxedSimd, simd } from './host/features.ts'
import { addressSpace } from './host/memory.ts'
import { threadMemory } from './threads/start-worker.ts'

export type { Learned } from '@manybody/core/backend'

const backend = 'cpu-wasm'
/** Threads are numbered by the bits of one word. */
const mostThreads = 31

export interface CpuWasmOptions {
  /** Milliseconds of work on one thread from which others are woken; by itself what timing finds faster. */
  readonly threadsFrom?: number
  /**
   * Where workers get their code from: the file `worker.js` beside this module, or inline, which needs no file but in
   * pages a Content-Security-Policy with `worker-src blob:`. By itself pages try the file, then inline; others inline.
   */
  readonly workers?: 'file' | 'inline'
  /**
   * Has V8 make registers of 256 bits out of pairs of 128, for sums over pairs whose results prove to stay the same to
   * the bit: in Node 24 or later on x64. Elsewhere opening fails and says why.
   */
  readonly widen?: boolean
  /** Plans that an earlier run found fastest: `learnedPlans(device)`, as JSON. */
  readonly learned?: Learned
}

/** The plans that a device opened with `tune` has found fastest so far; empty for any other device. */
export function learnedPlans(device: Device): Learned {
  return device instanceof WasmDevice ? device.learned : {}
}

/** The CPU backend. Nothing is started before a program is prepared. */
export function cpuWasm(options: CpuWasmOptions = {}): Backend {
  const known = ['threadsFrom', 'workers', 'widen', 'learned']
  onlyNamed(options, 'option of cpuWasm', known, { threadsFrom: duration, widen: flag })
  const { threadsFrom, workers, widen = false, learned: given = {} } = options
  const learned = learnedOf(given)
  if (workers !== undefined) oneOf(workers, 'workers', ['file', 'inline'])
  return {
    name: backend,
    async probe(options) {
      const reason = await missing(widen)
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
      const reason = await missing(widen)
      if (reason) throw new BackendUnavailableError(backend, reason)
      const cpu = processor()
      const wanted = options?.threads ?? cpu.threads
      const threads = threadsOf(wanted)
      const notes = [
        ...(simd() ? [] : ['one number at a time, and so several times slower: this engine has no WebAssembly SIMD']),
        ...(threads < wanted
          ? [`${threads} of ${wanted} threads: ${threads === 1 ? 'this engine has no workers' : 'that is the most'}`]
          : []),
      ]
      const info: DeviceInfo = {
        backend,
        name: cpu.name,
        kind: 'cpu',
        precision: options?.precision ?? 'f32',
        features: [...features(), ...(widen ? ['wide-simd'] : [])],
        limits: { threads, memoryBytes: addressSpace, resultBytes },
        notes,
      }
      return WasmDevice.open(info, { threads, threadsFrom, workers, widen, tune: options?.tune, learned })
    },
  }
}

/** Milliseconds, all of them if infinite. */
function duration(value: unknown, name: string): void {
  if (value !== Number.POSITIVE_INFINITY) finite(value, name, 0)
}

/** Why nothing can run here, if so. */
async function missing(widen: boolean): Promise<string | undefined> {
  if (typeof WebAssembly !== 'object')
    return 'this engine has no WebAssembly; use a current browser or Node 20 or later'
  if (!basic())
    return 'this engine has a WebAssembly of before 2020, or a Content-Security-Policy forbids it; use a current browser, and allow wasm-unsafe-eval'
  return widen ? (await import('./quirks/widening.ts')).noWidening() : undefined
}

function threadsOf(wanted: number): number {
  return threadMemory() === 'none' ? 1 : Math.max(1, Math.min(wanted, mostThreads))
}

const features = (): readonly string[] => [
  simd() ? 'simd' : 'scalar',
  'f64',
  ...(relaxedSimd() ? ['relaxed-simd'] : []),
]
