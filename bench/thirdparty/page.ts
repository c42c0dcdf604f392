/**
 * The code inside the page of the headless browser for `rivals`: our backends and, if it is installed, gpu.js, which the page
 * has already loaded.
 */

import { backends } from 'manybody'
import { browserEnvironment } from '../src/browser/environment.ts'
import { offer } from '../src/browser/page-api.ts'
import { backendContenders, Devices } from '../src/contenders/backend.ts'
import { sessionOf } from '../src/sessions/local-session.ts'
import { type GpuJs, type GpuJsHost, type GpuJsMode, gpuJs } from './gpu-js/gpu-js.ts'
import { forTrees, loopOf } from './points.ts'

/** Our backend that runs on the same device. */
const sameDevice: Readonly<Partial<Record<GpuJsMode, string>>> = { webgl: 'webgl', webgl2: 'webgl', webgpu: 'webgpu' }

offer(({ installed }: { readonly installed: boolean }) => {
  // gpu.js overwrites a name that belongs to WebGPU.
  const { GPU } = globalThis as unknown as { readonly GPU: GpuJs }
  const host: GpuJsHost = {
    async load() {
      if (!installed) throw new Error('gpu.js is not installed: run npm run bench -- rivals with a network, once')
      return GPU
    },
    threads: navigator.hardwareConcurrency,
    async deviceOf(mode) {
      const probe = await backends()
        .find(({ name }) => name === sameDevice[mode])
        ?.probe()
      if (!probe) return { device: 'processor', kind: 'cpu' }
      if (!probe.available) throw new Error(probe.reason)
      return { device: probe.device, kind: probe.kind }
    },
  }
  const devices = new Devices()
  const ours = ['cpu-wasm', 'webgl', 'webgpu'].map((backend) => ({ backend }))
  const contenders = backendContenders(ours, backends(), devices)
  const modes = ['webgl', 'webgl2', 'webgpu', 'webasm', 'webasm, threads'] as const
  const rivals = modes.map((mode) => gpuJs(mode, host))
  return sessionOf(
    browserEnvironment(),
    (problem) => (forTrees(loopOf(problem)) ? contenders : [...contenders, ...rivals]),
    () => devices.dispose(),
  )
})
