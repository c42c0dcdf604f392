/**
 * The WebGL device for typed laws. It is the only door between the halves: it loads the compiling one when a law is prepared.
 *
 * @module
 */
import type { Device } from '@manybody/core'
import { requireSupport } from '@manybody/core/backend'
import type { ContextFactory } from './run/host/adapter.ts'
import { openRuntime } from './run/programs/runtime.ts'
import { supportOf } from './support.ts'

/** Opens WebGL through gpu.js and proves float32. @throws {@link BackendUnavailableError} */
export async function openDevice(factory?: ContextFactory): Promise<Device> {
  const { facts, prepare, ...device } = await openRuntime(factory)
  return {
    ...device,
    supports: (workload, shape) => supportOf(workload, shape, device.info),
    prepare: (workload, shape, plan) =>
      prepare(shape, async () => {
        requireSupport('webgl', workload, supportOf(workload, shape, device.info))
        const { designsOf } = await import('./compile/designs/designs.ts')
        return designsOf(workload, shape, facts, plan)
      }),
  }
}
