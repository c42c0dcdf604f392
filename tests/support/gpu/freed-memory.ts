// Makes results of 15 MB, drops them, and makes as many again. Prints the share of their pages that the system cleared for the second ones.
// With `kept`, freed memory is kept.

import { setTimeout as pause } from 'node:timers/promises'
import { keepFreedMemory } from '../../../packages/backend-webgpu/src/quirks/freed-memory.ts'

const [pageBytes, arrays, pages] = [4096, 76, 48]

/** Frees unused objects: another thread does it after a collection. */
async function collected(): Promise<void> {
  globalThis.gc?.()
  await pause(50)
}

function pagesCleared(): number {
  const before = process.resourceUsage().minorPageFault
  for (let n = 0; n < arrays; n++) new Float32Array((pages * pageBytes) / 4).fill(1)
  return process.resourceUsage().minorPageFault - before
}

if (process.argv[2] === 'kept') keepFreedMemory()
await collected()
pagesCleared()
await collected()
console.log(pagesCleared() / (arrays * pages))
