// WebGL contexts for Node: ANGLE on the software GPU from @sparticuz/chromium.
//
// ANGLE checks the requests of WebGL (EGL_ANGLE_create_context_webgl_compatibility), so it rejects here the same calls as in a browser.

import { join } from 'node:path'
import koffi from 'koffi'
import { type GlesContext, glesContexts } from '../../tools/gles-context.ts'
import { unpackedFolder } from '../../tools/unpacked.ts'

export type AngleContext = GlesContext

/** Returns a new context of WebGL 1 or 2 at each call. */
export async function angleContexts(version: 1 | 2): Promise<() => AngleContext> {
  const folder = await unpackedFolder()
  return glesContexts(
    {
      name: 'the software GPU; unpack @sparticuz/chromium again',
      egl: koffi.load(join(folder, 'libEGL.so')),
      gles: koffi.load(join(folder, 'libGLESv2.so')),
      display: (call) =>
        call('void* eglGetPlatformDisplay(uint32_t, void*, const int64_t*)')(
          0x3202, // EGL_PLATFORM_ANGLE_ANGLE: Vulkan, on SwiftShader
          null,
          BigInt64Array.of(0x3203n, 0x3450n, 0x3209n, 0x3487n, 0x3038n),
        ),
      // EGL_CONTEXT_CLIENT_VERSION, EGL_CONTEXT_OPENGL_BACKWARDS_COMPATIBLE_ANGLE: no later version instead,
      // EGL_CONTEXT_WEBGL_COMPATIBILITY_ANGLE
      attributes: (version) => [0x3098, version + 1, 0x3483, 0, 0x33ac, 1],
      requests: true,
    },
    version,
  )
}

/** Returns contexts of WebGL 2 that name a graphics card as their renderer. */
export async function likeHardware(): Promise<() => AngleContext> {
  const context = await angleContexts(2)
  return () => {
    const gl = context()
    const ask = gl.getParameter.bind(gl)
    gl.getParameter = (name: number) => {
      const value: unknown = ask(name)
      return typeof value === 'string' && /swiftshader/i.test(value) ? 'a graphics card' : value
    }
    return gl
  }
}
