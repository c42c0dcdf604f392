/**
 * Sums over pairs for callers that cannot wait for a promise: programs that were compiled ahead (`compileAtOnce`) run within the call.
 * It is a separate entry, because engines do not need it.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import { BackendUnavailableError } from '@manybody/core/backend'
import { DeviceAtOnce } from './run/at-once/device-at-once.ts'
import { processor } from './run/host/adapter.ts'
import { simd } from './run/host/features.ts'
import { threadsOf } from './run/threads/threads.ts'

export type { CompiledAtOnce } from './design/at-once.ts'
export type { DeviceAtOnce, ProgramAtOnce } from './run/at-once/device-at-once.ts'

export interface AtOnceOptions {
  /** By default as many as the processor has; 1 without shared memory. */
  readonly threads?: number | undefined
  readonly precision?: Precision
}

/**
 * Opens the processor. Until the workers have started, the caller's thread computes sums alone.
 *
 * @throws {@link BackendUnavailableError} if there is no WebAssembly with SIMD
 */
export function openAtOnce({ threads, precision = 'f32' }: AtOnceOptions = {}): DeviceAtOnce {
  if (typeof WebAssembly !== 'object' || !simd())
    throw new BackendUnavailableError(
      'cpu-wasm',
      'this engine has no WebAssembly SIMD; use a browser from 2023 or later',
    )
  return new DeviceAtOnce(threadsOf(threads ?? processor().threads), precision)
}
