/**
 * Several workers as one device: its kind, and its name.
 *
 * @module
 */
import type { DeviceKind } from '@manybody/core'
import type { WorkerInfo } from '../wire/worker-info.ts'

/** `software` is less than `cpu`, which is less than `hardware`. */
export function leastKind(workers: readonly Pick<WorkerInfo, 'kind'>[]): DeviceKind {
  const has = (kind: DeviceKind) => workers.some((worker) => worker.kind === kind)
  if (has('software')) return 'software'
  return has('cpu') ? 'cpu' : 'hardware'
}

/** "3 x cpu-wasm (AMD EPYC), 1 x webgpu (NVIDIA H200)". */
export function describeWorkers(workers: readonly Pick<WorkerInfo, 'backend' | 'name'>[]): string {
  const counts = new Map<string, number>()
  for (const { backend, name } of workers) {
    const what = `${backend} (${name})`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return Array.from(counts, ([what, count]) => `${count} x ${what}`).join(', ')
}
