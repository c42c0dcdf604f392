/**
 * The WebGL device for typed laws. It is the only door between the halves: it loads the compiling half when it prepares a law
 * that comes without a file.
 *
 * @module
 */
import type { Device } from '@manybody/core'
import { compiledFor, requireSupport } from '@manybody/core/backend'
import type { CompiledWebGl } from './design/compiled.ts'
import type { ContextFactory } from './run/host/adapter.ts'
import { openRuntime } from './run/programs/runtime.ts'
import { supportOf } from './support.ts'

/** Opens WebGL through gpu.js and proves float32. @throws {@link BackendUnavailableError} */
export async function openDevice(factory?: ContextFactory): Promise<Device> {
  const { facts, prepare, ...device } = await openRuntime(factory)
  return {
    ...device,
    supports: (workload, shape) => supportOf(workload, shape, device.info),
    proof: async () => (await import('./run/programs/proof-program.ts')).proof,
    prepare: (workload, shape, plan) =>
      prepare(shape, async () => {
        requireSupport('webgl', workload, supportOf(workload, shape, device.info))
        const compiled = compiledFor(workload, shape, 'webgl') as CompiledWebGl | undefined
        if (compiled) {
          const { compiledDesigns } = await import('./run/programs/compiled-designs.ts')
          return compiledDesigns(compiled, shape, facts, plan)
        }
        const { designsOf } = await import('./compile/designs/designs.ts')
        return designsOf(workload, shape, facts, plan)
      }),
  }
}
