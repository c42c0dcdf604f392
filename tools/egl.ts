// Contexts of EGL, called through koffi. It makes them, makes one current and destroys them, and calls no GLES.

import type { LibraryHandle } from 'koffi'

export type Native = (...args: readonly unknown[]) => unknown
type Call = (prototype: string) => Native

/** The libraries that make contexts. */
export interface Driver {
  /** The driver in words, for errors. */
  readonly name: string
  readonly egl: LibraryHandle
  readonly gles: LibraryHandle
  readonly display: (call: Call) => unknown
  /** Attributes of a context of WebGL 1 or 2. */
  readonly attributes: (version: 1 | 2) => readonly number[]
  /** Whether extensions must be requested, as ANGLE requires. */
  readonly requests: boolean
}

export interface Egl {
  create(version: 1 | 2): unknown
  use(context: unknown): void
  destroy(context: unknown): void
}

export function eglOf({ name, egl, display: open, attributes }: Driver): Egl {
  const call: Call = (prototype) => egl.func(prototype) as Native
  const display = open(call)
  if (!call('uint32_t eglInitialize(void*, int32_t*, int32_t*)')(display, [0], [0]))
    throw new Error(`Cannot initialize EGL on ${name}`)
  call('uint32_t eglBindAPI(uint32_t)')(0x30a0) // EGL_OPENGL_ES_API
  const config = [null]
  call('uint32_t eglChooseConfig(void*, const int32_t*, _Out_ void**, int32_t, _Out_ int32_t*)')(
    display,
    Int32Array.of(0x3033, 1, 0x3038), // EGL_SURFACE_TYPE, EGL_PBUFFER_BIT
    config,
    1,
    [0],
  )
  const create = call('void* eglCreateContext(void*, void*, void*, const int32_t*)')
  const makeCurrent = call('uint32_t eglMakeCurrent(void*, void*, void*, void*)')
  const destroy = call('uint32_t eglDestroyContext(void*, void*)')
  return {
    create(version) {
      const context = create(display, config[0], null, Int32Array.from([...attributes(version), 0x3038])) // EGL_NONE
      if (!context) throw new Error(`Cannot create a WebGL${version} context on ${name}`)
      return context
    },
    // Before every call: when another context is destroyed, the thread may be left without one.
    use(context) {
      if (makeCurrent(display, null, null, context) !== 1) throw new Error('Cannot make a WebGL context current')
    },
    destroy(context) {
      makeCurrent(display, null, null, null)
      destroy(display, context)
    },
  }
}
