/**
 * Deno (2.9) panics when `writeBuffer` gets no bytes.
 *
 * `tests/environments/webgpu-deno.test.ts` shows it. Remove this when that test sees no panic.
 *
 * @module
 */

/** Writes to a buffer, by default from its start on, unless there is nothing to write. @param first a place in bytes */
export function writeBytes(
  queue: GPUQueue,
  buffer: GPUBuffer,
  data: ArrayBuffer | ArrayBufferView<ArrayBuffer>,
  first: number = 0,
): void {
  if (data.byteLength > 0) queue.writeBuffer(buffer, first, data)
}
