/**
 * glibc keeps freed memory up to a threshold and gives the rest back to the system. The system clears a page that is touched again,
 * which takes 1 to 13 µs for 4 KiB in virtual machines. So each call would wait for its results to get the pages that the results of
 * earlier calls had. Freeing an array of up to 32 MiB raises the threshold to twice its size.
 *
 * `tests/gpu/webgpu/quirks.test.ts` counts the pages. Remove this when as few are touched again without it.
 *
 * @module
 */

/** The largest array that glibc counts, less the bytes that glibc adds to it. */
const largest = 2 ** 25 - 2 ** 16

let raised = false

/** Makes glibc keep memory that is freed from now on, for the next arrays. */
export function keepFreedMemory(): void {
  const { process } = globalThis as { readonly process?: { readonly platform?: string } }
  if (raised || process?.platform !== 'linux') return
  raised = true
  // Nobody keeps it or writes into it, so it takes no pages. The threshold rises when it is collected.
  void new ArrayBuffer(largest)
}
