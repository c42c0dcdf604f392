/**
 * The pipelines of a device. A shader is compiled once, because a design may use the shaders of another, and designs for other numbers of
 * points mostly have the same text.
 *
 * @module
 */
import type { Shader } from '../../design/shader.ts'
import { compile, type Pipeline } from '../host/compile.ts'
import type { GpuHost } from '../host/host.ts'

/** How many texts are remembered. */
const most = 256

class Pipelines {
  readonly #ofShaders = new WeakMap<Shader, Promise<Pipeline>>()
  /** By text, the longest unused first. */
  readonly #ofTexts = new Map<string, Promise<Pipeline>>()

  of(host: GpuHost, shader: Shader): Promise<Pipeline> {
    const known = this.#ofShaders.get(shader)
    if (known !== undefined) return known
    const pipeline = this.#ofTexts.get(shader.code) ?? compile(host, shader)
    this.#ofShaders.set(shader, pipeline)
    this.#ofTexts.delete(shader.code)
    this.#ofTexts.set(shader.code, pipeline)
    const [oldest] = this.#ofTexts.keys()
    if (this.#ofTexts.size > most && oldest !== undefined) this.#ofTexts.delete(oldest)
    // A later call may find a compiler that works.
    pipeline.catch(() => {
      this.#ofShaders.delete(shader)
      this.#ofTexts.delete(shader.code)
    })
    return pipeline
  }
}

const pipelines = new WeakMap<GpuHost, Pipelines>()

export function pipelineOf(host: GpuHost, shader: Shader): Promise<Pipeline> {
  const known = pipelines.get(host) ?? new Pipelines()
  pipelines.set(host, known)
  return known.of(host, shader)
}
