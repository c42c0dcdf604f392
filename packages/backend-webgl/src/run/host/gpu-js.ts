/**
 * Loads gpu.js when the first device is opened, and declares the few members of it that this backend uses.
 *
 * In Node the package exports an object with the class, in a bundle the class itself; `load` accepts both.
 *
 * @module
 */

import { onFirstUse } from '@manybody/core/backend'
import type { SheetSize } from '../../design/layout.ts'
import { platformGpu } from '../../quirks/platform-gpu.ts'

/** A result that stays on the device. */
export interface DriverTexture {
  readonly texture: WebGLTexture
  delete(): void
}

/** A compiled kernel. Its settings decide the kinds of its arguments and results. */
export interface DriverKernel {
  (...args: readonly unknown[]): unknown
  build(...args: readonly unknown[]): void
  destroy(): void
  /** The kernel that really runs. gpu.js may replace it by one of another mode. */
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

/** Wraps our texture for gpu.js, which accepts only its own class. `made` is a texture that gpu.js made, and shows the class. */
export function textureLike(made: DriverTexture, texture: WebGLTexture, { width, height }: SheetSize): DriverTexture {
  const DriverTexture = made.constructor as new (settings: object) => DriverTexture
  const output = [width, height]
  return new DriverTexture({ ...made, texture, size: output, dimensions: [...output, 1], output })
}

/** The class of gpu.js, loaded once. @throws Error if the package is not installed */
export const loadDriver: () => Promise<DriverClass> = onFirstUse(load)

/** The reason why loading gpu.js failed, and a remedy. */
export const withoutDriver = (error: unknown): string =>
  `gpu.js could not be loaded: ${String(error)}; install it with "npm install gpu.js"`

/** Whether loading gpu.js is a download, which a page that computes with another backend must not pay for. */
export const isDownload = (): boolean => 'document' in globalThis || 'WorkerGlobalScope' in globalThis

/** Why gpu.js cannot be loaded; undefined if it can. */
export const missingDriver = (): Promise<string | undefined> => loadDriver().then(() => undefined, withoutDriver)

async function load(): Promise<DriverClass> {
  const putBack = platformGpu()
  try {
    // Inside `try`, bundlers accept that the package may be missing.
    const loaded = (await import('gpu.js')) as unknown as { default?: unknown; GPU?: unknown }
    const exported = (loaded.default ?? loaded) as { GPU?: DriverClass }
    return exported.GPU ?? (exported as DriverClass)
  } finally {
    putBack()
  }
}
