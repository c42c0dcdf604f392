/**
 * glibc gives memory that was freed back to the system beyond a threshold, and the system clears each page that is touched again:
 * 1 to 13 µs for 4 KiB in virtual machines. New results of each call are the pages of results that nobody needs any more. The
 * threshold rises, up to 64 MiB, to twice the largest array of up to 32 MiB that was ever freed.
 *
 * `tests/gpu/webgpu/quirks.test.ts` counts the pages. Remove this when as few are touched again without it.
 *
 * @module
 */

/** The most that glibc counts, without what it adds to it. */
const largest = 2 ** 25 - 2 ** 16

let raised = false

/** Has memory that is freed from now on kept for what comes next. */
export function keepFreedMemory(): void {
  const { process } = globalThis as { readonly process?: { readonly platform?: string } }
  if (raised || process?.platform !== 'linux') return
  raised = true
  // Nobody keeps it or writes into it, so it takes no pages. The threshold rises when it is collected.
  void new ArrayBuffer(largest)
}
