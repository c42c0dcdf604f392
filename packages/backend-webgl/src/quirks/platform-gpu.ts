/**
 * gpu.js (2.24) claims `globalThis.GPU`, which in a browser with WebGPU is an interface of the platform. What was there is
 * put back.
 *
 * `packages/backend-webgl/test/driver.browser.ts` shows it. Goes when gpu.js leaves the name alone.
 *
 * @module
 */

/** Remembers `globalThis.GPU`; what it gives puts that back. */
export function platformGpu(): () => void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'GPU')
  return () => {
    if (before) Object.defineProperty(globalThis, 'GPU', before)
    else Reflect.deleteProperty(globalThis, 'GPU')
  }
}
