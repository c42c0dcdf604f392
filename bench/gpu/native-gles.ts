// WebGL on the GPU of this machine without a browser: the driver's own GLES, through EGL's device platform, as WebGL2. The
// library that calls it, koffi, belongs to this benchmark alone.

import { createRequire } from 'node:module'
import { type GlesContext, glesContexts } from '../../tools/gles-context.ts'

type Koffi = typeof import('koffi').default

/** Makes contexts of WebGL 2. The library never forgets the names of types, so the driver is opened only once. */
let contexts: (() => GlesContext) | undefined

/** @throws Error saying whether EGL, GLES or koffi is missing */
export function nativeContext(): GlesContext {
  contexts ??= openDriver()
  return contexts()
}

function openDriver(): () => GlesContext {
  const koffi = createRequire(import.meta.url)('koffi') as Koffi
  const load = (file: string) => {
    try {
      return koffi.load(file)
    } catch (cause) {
      throw new Error(`${file} cannot be loaded; install the GPU's driver with its EGL and GLES`, { cause })
    }
  }
  return glesContexts(
    {
      name: "the driver's own GLES",
      egl: load('libEGL.so.1'),
      gles: load('libGLESv2.so.2'),
      display(call) {
        const query = koffi.decode(
          call('void* eglGetProcAddress(str)')('eglQueryDevicesEXT'),
          koffi.proto('uint32_t QueryDevices(int32_t, _Out_ void**, _Out_ int32_t*)'),
        ) as (most: number, devices: unknown[], count: number[]) => number
        const [devices, count] = [[null] as unknown[], [0]]
        if (!query(1, devices, count) || count[0] === 0)
          throw new Error("EGL knows no device; install the GPU's driver")
        const open = call('void* eglGetPlatformDisplay(uint32_t, void*, const int64_t*)')
        return open(0x313f, devices[0], null) // EGL_PLATFORM_DEVICE_EXT
      },
      attributes: () => [0x3098, 3], // EGL_CONTEXT_CLIENT_VERSION
      requests: false,
    },
    2,
  )
}
