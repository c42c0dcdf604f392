// What the page keeps in reach to break it: contexts of WebGL, devices of WebGPU, workers. Loaded before anything is opened.

export const contexts: WebGL2RenderingContext[] = []
export const devices: GPUDevice[] = []
/** Those not terminated: what listens to a worker holds the memories of its pool. */
export const workers: Worker[] = []
/** Bytes that buffers of WebGPU and memories of WebAssembly have, and how many objects of WebGL were not deleted. */
export const held = { gpu: 0, wasm: 0, webgl: 0 }
/** While false, no worker can be made, and tries are counted. */
export const allow = { workers: true, refused: 0 }

/** Called once, in the page. */
export function watch(): void {
  const { getContext } = OffscreenCanvas.prototype
  OffscreenCanvas.prototype.getContext = function (this: OffscreenCanvas, ...args: never[]) {
    const context = (getContext as (...a: never[]) => WebGL2RenderingContext | null).apply(this, args)
    if (context) contexts.push(context)
    return context
  } as never
  countObjectsOfWebgl()
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (pages) {
    const before = grow.call(this, pages)
    held.wasm += 65536 * pages
    return before
  }
  if (typeof GPUAdapter === 'function') {
    const { createBuffer } = GPUDevice.prototype
    GPUDevice.prototype.createBuffer = function (descriptor) {
      const buffer = createBuffer.call(this, descriptor)
      held.gpu += descriptor.size
      buffer.destroy = () => {
        held.gpu -= descriptor.size
        buffer.destroy = GPUBuffer.prototype.destroy
        buffer.destroy()
      }
      return buffer
    }
    const { requestDevice } = GPUAdapter.prototype
    GPUAdapter.prototype.requestDevice = async function (...args) {
      const device = await requestDevice.apply(this, args)
      devices.push(device)
      return device
    }
  }
  const Real = globalThis.Worker
  globalThis.Worker = class extends Real {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      if (!allow.workers) {
        allow.refused++
        throw new Error('no worker for you')
      }
      super(...args)
      workers.push(this)
    }
    override terminate() {
      super.terminate()
      const n = workers.indexOf(this)
      if (n >= 0) workers.splice(n, 1)
    }
  }
}

function countObjectsOfWebgl(): void {
  const methods = WebGL2RenderingContext.prototype as never as Record<string, (...args: unknown[]) => unknown>
  const kinds = ['Buffer', 'Framebuffer', 'Program', 'Shader', 'Texture', 'VertexArray']
  const pairs = kinds.map((kind) => [`create${kind}`, `delete${kind}`])
  for (const [make = '', end = ''] of [...pairs, ['fenceSync', 'deleteSync']]) {
    const [create, destroy] = [methods[make], methods[end]]
    methods[make] = function (...args) {
      const made = create?.apply(this, args)
      if (made) held.webgl++
      return made
    }
    methods[end] = function (object) {
      if (object) held.webgl--
      return destroy?.call(this, object)
    }
  }
}

/** The GPU process of the browser ends. The runner gives this to the page. */
export const crash = (): Promise<void> => (globalThis as never as { crash(): Promise<void> }).crash()

/** All garbage of the page is collected. The runner gives this to the page. */
export const collect = (): Promise<void> => (globalThis as never as { collect(): Promise<void> }).collect()

/** Returns whether there was a context to lose. */
export function loseContext(): boolean {
  const last = contexts.findLast((context) => !context.isContextLost())
  last?.getExtension('WEBGL_lose_context')?.loseContext()
  return last !== undefined
}

/** What a process has. */
export interface Levels {
  readonly threads: number
  readonly bytes: number
}

/** A process of Node opens and disposes of one more engine. The runner gives this to the page. */
export const openInNode = (): Promise<Levels> => (globalThis as never as { openInNode(): Promise<Levels> }).openInNode()
