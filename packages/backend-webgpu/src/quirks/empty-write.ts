/**
 * Deno (2.9) panics when `writeBuffer` gets no bytes.
 *
 * `tests/environments/webgpu-deno.test.ts` shows it. Remove this when that test sees no panic.
 *
 * @module
 */

/** Writes to the start of a buffer, unless there is nothing to write. */
export function writeBytes(queue: GPUQueue, buffer: GPUBuffer, data: ArrayBuffer | ArrayBufferView<ArrayBuffer>): void {
  if (data.byteLength > 0) queue.writeBuffer(buffer, 0, data)
}
