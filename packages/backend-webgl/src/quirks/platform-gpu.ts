/**
 * gpu.js (2.24) overwrites `globalThis.GPU`, which in a browser with WebGPU is an interface of the platform. This restores
 * it.
 *
 * `packages/backend-webgl/test/browser/driver.browser.ts` shows it. Remove this when gpu.js leaves the name alone.
 *
 * @module
 */

/** Remembers `globalThis.GPU`; the function that it returns restores it. */
export function platformGpu(): () => void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'GPU')
  return () => {
    if (before) Object.defineProperty(globalThis, 'GPU', before)
    else Reflect.deleteProperty(globalThis, 'GPU')
  }
}
