// Objects that the page keeps within reach to break them: WebGL contexts, WebGPU devices, workers. Load it before anything is opened.

export const contexts: WebGL2RenderingContext[] = []
export const devices: GPUDevice[] = []
/** Workers that were not terminated. A worker's listeners hold the memories of its pool. */
export const workers: Worker[] = []
/** Bytes in WebGPU buffers and WebAssembly memories, and the number of WebGL objects that were not deleted. */
export const held = { gpu: 0, wasm: 0, webgl: 0 }
/** While false, no worker can be made, and attempts are counted. */
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

/** Ends the GPU process of the browser. The runner provides this function. */
export const crash = (): Promise<void> => (globalThis as never as { crash(): Promise<void> }).crash()

/** Collects all garbage of the page. The runner provides this function. */
export const collect = (): Promise<void> => (globalThis as never as { collect(): Promise<void> }).collect()

/** Returns whether there was a context to lose. */
export function loseContext(): boolean {
  const last = contexts.findLast((context) => !context.isContextLost())
  last?.getExtension('WEBGL_lose_context')?.loseContext()
  return last !== undefined
}

/** The threads and the memory of a process. */
export interface Levels {
  readonly threads: number
  readonly bytes: number
}

/** A Node process opens one more engine and disposes of it. The runner provides this function. */
export const openInNode = (): Promise<Levels> => (globalThis as never as { openInNode(): Promise<Levels> }).openInNode()
