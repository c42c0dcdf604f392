/**
 * The WebGL2 context that everything runs in: made here or by the caller, and judged before anything is built on it.
 *
 * @module
 */
import type { DeviceKind } from '@manybody/core'

/** Makes a WebGL2 context where neither a page nor a worker gives one, as in Node. */
export type ContextFactory = () => WebGL2RenderingContext | null

/** What was found, or why nothing was, in words that a person can act on. */
export type Found =
  | { readonly gl: WebGL2RenderingContext; readonly renderer: string; readonly kind: DeviceKind }
  | { readonly reason: string }

/** Opens a context and checks that it can render to float textures. */
export function findContext(factory?: ContextFactory): Found {
  let gl: WebGL2RenderingContext | null
  try {
    if (factory === undefined && typeof document === 'undefined' && typeof OffscreenCanvas === 'undefined')
      return {
        reason:
          'there is no canvas here (Node has none); pass webgl({ context }), a function that gives a WebGL2 context, or use webgpu or cpu-wasm',
      }
    gl = (factory ?? newContext)()
  } catch (error) {
    return { reason: `making a WebGL2 context failed: ${String(error)}; check the context factory` }
  }
  if (!gl) return { reason: 'the browser gave no WebGL2 context; enable hardware acceleration or update the driver' }
  const reason = lacking(gl)
  if (reason !== undefined) {
    release(gl)
    return { reason }
  }
  const renderer = rendererOf(gl)
  return { gl, renderer, kind: isSoftware(renderer) ? 'software' : 'hardware' }
}

function newContext(): WebGL2RenderingContext | null {
  const attributes: WebGLContextAttributes = {
    alpha: false,
    depth: false,
    stencil: false,
    antialias: false,
    powerPreference: 'high-performance',
  }
  const canvas = typeof OffscreenCanvas === 'undefined' ? document.createElement('canvas') : new OffscreenCanvas(2, 2)
  return canvas.getContext('webgl2', attributes) as WebGL2RenderingContext | null
}

function lacking(gl: WebGL2RenderingContext): string | undefined {
  if (gl.isContextLost()) return 'the WebGL2 context was lost at once; reload the page'
  if (!gl.getExtension('EXT_color_buffer_float'))
    return 'the device cannot render to float textures (EXT_color_buffer_float is missing); use webgpu or cpu-wasm'
  const { precision = 0 } = gl.getShaderPrecisionFormat(gl.FRAGMENT_SHADER, gl.HIGH_FLOAT) ?? {}
  if (precision < 23)
    return `fragment shaders have ${precision} bits of precision, float32 has 23; use webgpu or cpu-wasm`
  return undefined
}

/** The adapter, as its driver calls it. */
function rendererOf(gl: WebGL2RenderingContext): string {
  const debug = gl.getExtension('WEBGL_debug_renderer_info')
  return String(gl.getParameter(debug ? debug.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
}

/** Rasterisers that draw with the processor: what browsers and Mesa call theirs. */
function isSoftware(renderer: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|microsoft basic render/i.test(renderer)
}

/** Gives the context back at once: a page has about 16, and the oldest is lost when there are more. */
export function release(gl: WebGL2RenderingContext): void {
  gl.getExtension('WEBGL_lose_context')?.loseContext()
}
