/** The code that each backend generates from the law of a session. It loads on demand. */

import type { Text } from '../threads/messages.ts'
import type { Session } from './session.ts'

/** The code of the running backend comes first. */
export async function textsOf(session: Session): Promise<readonly Text[]> {
  const workload = session.workload()
  const { count, scene, variant } = session.setup
  const { dimension } = scene.points(2, 1)
  const shape = { targets: count, sources: count, dimension, sameSet: true, vectors: [] }
  const plan = variant === '' ? {} : { plan: { variant } }
  const generated: Readonly<Record<string, () => Promise<Text>>> = {
    webgpu: async () => {
      const { wgslText } = await import('@manybody/backend-webgpu/text')
      return { title: 'WGSL generated from the law', text: wgslText(workload, shape, plan) }
    },
    webgl: async () => {
      const { glslText } = await import('@manybody/backend-webgl/text')
      return { title: 'GLSL generated from the law', text: glslText(workload, shape) }
    },
    'cpu-wasm': async () => {
      const { wasmText } = await import('@manybody/backend-cpu-wasm/text')
      return { title: 'WebAssembly generated from the law', text: wasmText(workload, shape, plan) }
    },
  }
  const { backend } = session.engine.device.info
  const names = [backend, 'webgpu', 'webgl', 'cpu-wasm'].filter((name, n, all) => all.indexOf(name) === n)
  const texts = await Promise.all(names.map(async (name) => generated[name]?.()))
  return texts.filter((text) => text !== undefined)
}
