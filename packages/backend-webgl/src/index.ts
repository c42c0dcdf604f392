/**
 * The WebGL backend: fragment shaders through gpu.js, for devices without WebGPU. Opening a device loads gpu.js.
 *
 * @module
 */
import type { Backend } from '@manybody/core'
import { BackendUnavailableError, onlyNamed } from '@manybody/core/backend'
import { type ContextFactory, featuresOf, findContext, release } from './run/host/adapter.ts'
import { isDownload, missingDriver } from './run/host/gpu-js.ts'

export type { ContextFactory }

export interface WebglOptions {
  /**
   * Returns the WebGL2 or WebGL1 context to use; called for each probe and each opening. By default a canvas of the page
   * or worker is asked, for WebGL2 first.
   */
  readonly context?: ContextFactory
}

/**
 * The WebGL backend.
 *
 * @example
 * const engine = await createEngine({ backends: [webgl(), reference()] })
 */
export function webgl(options: WebglOptions = {}): Backend {
  const { context } = onlyNamed(options, 'option of webgl', ['context'])
  if (context !== undefined && typeof context !== 'function')
    throw new TypeError(`"context" expected a function that returns a WebGL context, got ${typeof context}`)
  return {
    name: 'webgl',
    async probe({ precision = 'f32' } = {}) {
      if (precision === 'f64') return { available: false, reason: noFloat64 }
      const found = findContext(context)
      if (!('gl' in found)) return { available: false, reason: found.reason }
      release(found.gl)
      const { renderer, facts } = found
      const features = featuresOf(facts.version)
      const available = { available: true, device: renderer, kind: facts.kind, features } as const
      if (isDownload()) return { ...available, needs: 'gpu.js ("npm install gpu.js")' }
      const reason = await missingDriver()
      return reason === undefined ? available : { available: false, reason }
    },
    async open({ precision = 'f32' } = {}) {
      if (precision === 'f64') throw new BackendUnavailableError('webgl', noFloat64)
      return (await import('./device.ts')).openDevice(context)
    },
  }
}

const noFloat64 = 'WebGL computes in float32 only; use cpu-wasm or reference for f64'
