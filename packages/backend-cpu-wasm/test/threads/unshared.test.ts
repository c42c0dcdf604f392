// The reason why threads compute on copies names the missing condition: isolation, or shared memory in an isolated page.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { threadMemory, unsharedBecause } from '../../src/run/threads/thread-memory.ts'

beforeEach(() => {
  // A page: no Node, and workers.
  vi.stubGlobal('process', undefined)
  vi.stubGlobal('Worker', class {})
})
afterEach(() => vi.unstubAllGlobals())

it.each([
  ['an isolated page', true, SharedArrayBuffer, 'shared', undefined],
  ['a page that is not isolated', false, SharedArrayBuffer, 'copied', 'the page is not cross-origin isolated'],
  ['an isolated page of WebKitGTK', true, undefined, 'copied', 'this browser or runtime has no SharedArrayBuffer'],
] as const)('the kind of memory is known in %s', (_, isolated, shared, memory, reason) => {
  vi.stubGlobal('crossOriginIsolated', isolated)
  vi.stubGlobal('SharedArrayBuffer', shared)
  expect(threadMemory()).toBe(memory)
  if (reason) expect(unsharedBecause()).toBe(reason)
})
