/**
 * Computes on many machines: `cluster` is a backend for an engine, `joinCluster` makes a process or a page a worker,
 * and `openCheckpoint` keeps a simulation where another process can continue it.
 *
 * @module
 */
export { Checkpoint, type CheckpointOptions, openCheckpoint, SupersededError } from './checkpoint/checkpoint.ts'
export { type ClusterOptions, cluster } from './cluster.ts'
export type { LinkOptions } from './wire/link.ts'
export type { WorkerInfo } from './wire/worker-info.ts'
export { ClusterWorker, joinCluster, type WorkerOptions } from './worker/worker.ts'
