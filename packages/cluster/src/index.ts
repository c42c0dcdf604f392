/**
 * Computes on many machines: `cluster` is a backend for an engine, and `joinCluster` makes a process or a page a worker.
 *
 * @module
 */
export { type ClusterOptions, cluster } from './cluster.ts'
export type { LinkOptions } from './wire/link.ts'
export { ClusterWorker, joinCluster, type WorkerInfo, type WorkerOptions } from './worker/worker.ts'
