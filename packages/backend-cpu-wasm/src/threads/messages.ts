/**
 * What the caller's thread and its workers say to each other. Types only.
 *
 * @module
 */
import type { Shared } from './claims.ts'

/** Bytes at an address of a program's memory. */
export interface Part {
  readonly address: number
  readonly bytes: Uint8Array
}

/** Where bytes are, and how many. */
export interface Span {
  readonly address: number
  readonly length: number
}

/** To a worker. */
export interface WorkerMessage {
  /** Take part in the jobs of this shared memory, as this thread. */
  readonly start?: { readonly shared: Shared; readonly thread: number }
  /** Know a program; over the memory of all threads, or else over the worker's own. */
  readonly add?: {
    readonly id: number
    readonly module: WebAssembly.Module
    readonly memory?: WebAssembly.Memory | undefined
  }
  /** Forget a program. */
  readonly drop?: number
  /** Do something alone, in the worker's own memory, and send back what came of it. */
  readonly task?: WorkerTask
}

/** Write `parts`, call phases, send back the bytes at `take`. */
export interface WorkerTask {
  readonly program: number
  /** Bytes that the memory must have. */
  readonly memoryBytes: number
  readonly parts: readonly Part[]
  readonly calls: readonly {
    readonly phase: number
    readonly block: number
    readonly scratch: number
    readonly first: number
    readonly last: number
  }[]
  readonly take: readonly Span[]
}

/** From a worker: that it has started, or what became of a task, in the order in which they were given. */
export type Answer = 'ready' | { readonly parts: readonly Part[] } | { readonly failed: string }
