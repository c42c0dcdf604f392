/**
 * The source of WebGPU: `navigator.gpu` in browsers, workers and Deno, the `webgpu` package (Dawn) in Node.
 *
 * @module
 */
import { keptForEver } from '../../quirks/collected-dawn.ts'

/** WebGPU, or why it is missing. */
export type FoundGpu =
  | { readonly ok: true; readonly gpu: GPU; readonly via: 'browser' | 'deno' | 'dawn' }
  | { readonly ok: false; readonly reason: string; readonly cause?: unknown }

/** @param toggles options for Dawn in Node, such as `backend=vulkan` */
export function findGpu(toggles: readonly string[] = []): Promise<FoundGpu> {
  const gpu = globalThis.navigator?.gpu
  if (gpu) return Promise.resolve({ ok: true, gpu, via: 'Deno' in globalThis ? 'deno' : 'browser' })
  if (!isNode()) return Promise.resolve({ ok: false, reason: noNavigator })
  return keptForEver(toggles.join(' '), () => createDawn(toggles))
}

const noNavigator =
  'this environment has no navigator.gpu; use a browser with WebGPU and a secure context (https or localhost)'

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return process?.versions?.node !== undefined
}

async function createDawn(toggles: readonly string[]): Promise<FoundGpu> {
  try {
    const { create } = await import('webgpu')
    return { ok: true, gpu: create([...toggles]), via: 'dawn' }
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    return {
      ok: false,
      reason: `the package "webgpu" cannot be loaded (${detail}); install it for this platform with "npm install webgpu"`,
      cause,
    }
  }
}
