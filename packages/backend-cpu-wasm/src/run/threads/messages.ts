/**
 * The messages between the caller's thread and its workers. Types only.
 *
 * @module
 */
import type { Shared } from './claims.ts'

/** Bytes, and their address in memory. */
export interface MemoryPart {
  readonly address: number
  readonly bytes: Uint8Array
}

/** The address and number of some bytes. */
export interface Span {
  readonly address: number
  readonly length: number
}

/** A message to a worker. */
export interface WorkerMessage {
  /** Take part in the jobs of this shared memory, with this thread number. */
  readonly start?: { readonly shared: Shared; readonly thread: number }
  /** Add a program, over the shared memory if there is one, else over the worker's own. */
  readonly add?: {
    readonly id: number
    readonly module: WebAssembly.Module
    readonly memory?: WebAssembly.Memory | undefined
  }
  /** Forget a program. */
  readonly drop?: number
  /** Do a task in the worker's own memory, and send back the results. */
  readonly task?: WorkerTask
}

/** Write `parts` to memory, call phases, and send back the bytes at `take`. */
export interface WorkerTask {
  readonly program: number
  /** The least size of the memory in bytes. */
  readonly memoryBytes: number
  readonly parts: readonly MemoryPart[]
  readonly calls: readonly {
    readonly phase: number
    readonly block: number
    readonly scratch: number
    readonly first: number
    readonly last: number
  }[]
  readonly take: readonly Span[]
}

/**
 * A message from a worker: that it has started, the outcome of a task, or, with shared memory, the error of a failed call.
 * Outcomes come in the order of the tasks.
 */
export type Answer = 'ready' | { readonly parts: readonly MemoryPart[] } | { readonly failed: string }
