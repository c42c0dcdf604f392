/**
 * Loads gpu.js, when a device is opened and not before, and says which few members of it this backend uses.
 *
 * In Node gpu.js is CommonJS with named members, in a bundle its class alone: both are accepted.
 *
 * @module
 */

import type { SheetSize } from '../glsl/layout.ts'
import { platformGpu } from '../quirks/platform-gpu.ts'

/** A result that stays on the device. */
export interface DriverTexture {
  readonly texture: WebGLTexture
  delete(): void
}

/** A compiled kernel. What it is called with, and what it gives, its settings decide. */
export interface DriverKernel {
  (...args: readonly unknown[]): unknown
  build(...args: readonly unknown[]): void
  destroy(): void
  /** What runs beneath; gpu.js may replace it by a kernel of another mode. */
  readonly kernel: { readonly context?: unknown; readonly program?: WebGLProgram | null }
}

export interface Driver {
  createKernel(source: string, settings: Readonly<Record<string, unknown>>): DriverKernel
  destroy(): Promise<void>
}

export interface DriverClass {
  new (settings: Readonly<Record<string, unknown>>): Driver
  disableValidation(): void
  enableValidation(): void
}

/** A texture of ours as gpu.js takes it: of the class of one that it made, which alone it accepts in its place. */
export function textureLike(made: DriverTexture, texture: WebGLTexture, { width, height }: SheetSize): DriverTexture {
  const DriverTexture = made.constructor as new (settings: object) => DriverTexture
  const output = [width, height]
  return new DriverTexture({ ...made, texture, size: output, dimensions: [...output, 1], output })
}

let loading: Promise<DriverClass> | undefined

/** The class of gpu.js, loaded once. @throws Error if the package is not installed */
export function loadDriver(): Promise<DriverClass> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<DriverClass> {
  const putBack = platformGpu()
  try {
    // Within `try` bundlers know that the package may be missing.
    const loaded = (await import('gpu.js')) as unknown as { default?: unknown; GPU?: unknown }
    const exported = (loaded.default ?? loaded) as { GPU?: DriverClass }
    return exported.GPU ?? (exported as DriverClass)
  } finally {
    putBack()
  }
}
