/**
 * Dawn in Node (`webgpu` 0.6) crashes a process that ends while the driver of a graphics card compiles, by `process.exit` or an
 * error that nobody caught: with a segmentation fault or a broken heap in 4 of 5 tries on an NVIDIA H100. Destroying the device
 * waits for the driver, up to 0.3 s; 22 processes that did so ended as they should.
 *
 * `tests/gpu/webgpu/quirks.test.ts` notes that devices are destroyed. Remove this when such a process ends without it.
 *
 * @module
 */

interface Exiting {
  on(event: 'exit', call: () => void): void
}

const open = new Set<WeakRef<GPUDevice>>()
let listening = false

/** Destroys a device when the process ends. @returns a function that forgets the device, once it is destroyed */
export function destroyAtExit(device: GPUDevice): () => void {
  const { process } = globalThis as { readonly process?: Exiting }
  if (!listening) process?.on('exit', destroyAll)
  listening = true
  const known = new WeakRef(device)
  open.add(known)
  return () => {
    open.delete(known)
  }
}

function destroyAll(): void {
  for (const device of open) device.deref()?.destroy()
}
