/**
 * Finds the WebGL context that everything runs in, and checks that it can compute in float32. It prefers WebGL2 to WebGL1,
 * and takes a context from the caller if one is given.
 *
 * @module
 */
import { describe } from '@manybody/core/backend'
import type { DeviceFacts } from '../../design/facts.ts'
import { canvases } from '../../quirks/canvas-element.ts'

/** A context of either version; `versionOf` tells which. */
export type Gl = WebGLRenderingContext | WebGL2RenderingContext

/** Makes a WebGL context, for environments without a canvas, such as Node, or for a context of the caller's choice. */
export type ContextFactory = () => Gl | null

/** The context that was found, or the reason why there is none, with a remedy. */
export type FoundContext =
  | { readonly gl: Gl; readonly renderer: string; readonly facts: DeviceFacts }
  | { readonly reason: string }

/** Opens a context and checks that it can render to float textures. */
export function findContext(factory?: ContextFactory): FoundContext {
  let gl: Gl | null
  try {
    if (factory === undefined && typeof document === 'undefined' && typeof OffscreenCanvas === 'undefined')
      return {
        reason:
          'this environment has no canvas; pass a function that returns a WebGL context, as webgl({ context }), or use webgpu or cpu-wasm',
      }
    gl = (factory ?? newContext)()
  } catch (error) {
    return { reason: `making a WebGL context failed: ${String(error)}; check the "context" function` }
  }
  if (!gl) return { reason: 'the browser gave no WebGL context; enable hardware acceleration or update the driver' }
  if (typeof gl.getParameter !== 'function')
    return {
      reason: `"context" expected a function that returns a WebGL context, got one that returns ${describe(gl)}`,
    }
  const version = versionOf(gl)
  const reason = lacking(gl, version)
  if (reason !== undefined) {
    release(gl)
    return { reason }
  }
  const renderer = rendererOf(gl)
  const outputs = version === 2 && rendersToFloat(gl, version, mostOutputs) ? mostOutputs : 1
  return { gl, renderer, facts: { version, kind: isSoftware(renderer) ? 'software' : 'hardware', outputs } }
}

const attributes: WebGLContextAttributes = {
  alpha: false,
  depth: false,
  stencil: false,
  antialias: false,
  powerPreference: 'high-performance',
}

/** A canvas that has refused a WebGL2 context can still return a WebGL1 context. */
function newContext(): Gl | null {
  for (const canvas of canvases()) {
    const gl = canvas.getContext('webgl2', attributes) ?? canvas.getContext('webgl', attributes)
    if (gl) return gl as Gl
  }
  return null
}

/** The string starts with "WebGL 1.0" or "WebGL 2.0" in every browser. */
function versionOf(gl: Gl): 1 | 2 {
  return String(gl.getParameter(gl.VERSION)).startsWith('WebGL 1') ? 1 : 2
}

function lacking(gl: Gl, version: 1 | 2): string | undefined {
  if (gl.isContextLost()) return 'the WebGL context was lost at once; reload the page'
  const needed = version === 2 ? 'EXT_color_buffer_float' : 'OES_texture_float'
  if (!gl.getExtension(needed))
    return `the device cannot render to float textures (${needed} is missing); use webgpu or cpu-wasm`
  // Some WebGL1 devices render to float textures without this extension, so only the framebuffer decides.
  if (version === 1) gl.getExtension('WEBGL_color_buffer_float')
  if (!rendersToFloat(gl, version))
    return 'the device cannot render to float textures (the framebuffer is incomplete); use webgpu or cpu-wasm'
  const units = gl.getParameter(gl.MAX_COMBINED_TEXTURE_IMAGE_UNITS) as number
  if (units < 16) return `the device has ${units} texture units, but gpu.js needs 16; use webgpu or cpu-wasm`
  const { precision = 0 } = gl.getShaderPrecisionFormat(gl.FRAGMENT_SHADER, gl.HIGH_FLOAT) ?? {}
  if (precision < 23)
    return `fragment shaders have ${precision} bits of precision, but float32 needs 23; use webgpu or cpu-wasm`
  return undefined
}

/** The internal format of a vec4 texture. */
export const vec4Format = (gl: Gl, version: 1 | 2): number =>
  version === 2 ? (gl as WebGL2RenderingContext).RGBA32F : gl.RGBA

/** Every WebGL2 device has this many outputs, but some cannot draw into that many float textures. */
const mostOutputs = 4

/** @param outputs number of float textures to render to at the same time */
function rendersToFloat(gl: Gl, version: 1 | 2, outputs = 1): boolean {
  const framebuffer = gl.createFramebuffer()
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer)
  const textures = Array.from({ length: outputs }, (_, n) => {
    const texture = gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, texture)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    gl.texImage2D(gl.TEXTURE_2D, 0, vec4Format(gl, version), 2, 2, 0, gl.RGBA, gl.FLOAT, null)
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + n, gl.TEXTURE_2D, texture, 0)
    return texture
  })
  const complete = gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE
  gl.deleteFramebuffer(framebuffer)
  for (const texture of textures) gl.deleteTexture(texture)
  return complete
}

/** The features of a device, as `DeviceInfo` lists them. */
export const featuresOf = (version: 1 | 2): readonly string[] => [
  version === 2 ? 'webgl2' : 'webgl1',
  'float-render-target',
]

/** The driver's name for the adapter. */
function rendererOf(gl: Gl): string {
  const debug = gl.getExtension('WEBGL_debug_renderer_info')
  return String(gl.getParameter(debug ? debug.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
}

/** Whether a rasteriser runs on the processor. The names come from browsers and Mesa. */
function isSoftware(renderer: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|microsoft basic render/i.test(renderer)
}

/** Releases the context at once: a page may have about 16, and opening more loses the oldest. */
export function release(gl: Gl): void {
  gl.getExtension('WEBGL_lose_context')?.loseContext()
}
