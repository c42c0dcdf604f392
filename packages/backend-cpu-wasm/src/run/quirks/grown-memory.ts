/**
 * V8 tells a thread late, or never, that another thread has grown their shared memory. Until then `memory.fill` and `memory.copy`
 * trap beyond the old end, and all accesses do in processes without V8's trap handler. Node 20 loses the news of a memory that
 * grows while a message brings it to a thread; Chrome 149 only tells a thread that grows the memory itself.
 *
 * `packages/backend-cpu-wasm/test/threads/grown-memory.test.ts` shows it. Remove this when V8 reads the size of a shared memory where it checks a bound.
 *
 * @module
 */

/** Makes the calling thread see that a shared memory has at least this many bytes. */
export function seeGrowth(memory: WebAssembly.Memory, bytes: number): void {
  if (memory.buffer.byteLength < bytes) memory.grow(0)
}
