// The kernels that a device shares and keeps, and those that it disposes of.

import { expect, test } from 'vitest'
import { Kernels } from '../src/run/host/kernels.ts'

const small = { width: 256, height: 2 }

/** A set of kernels that records the names of those compiled and disposed of. */
function watched({ proven = true, size = small } = {}) {
  const kernels = new Kernels<{ proven: boolean; dispose(): void }>()
  const compiled: string[] = []
  const disposed: string[] = []
  const take = (source: string) =>
    kernels.take(source, size, () => {
      compiled.push(source)
      return { proven, dispose: () => void disposed.push(source) }
    })
  return { kernels, take, compiled, disposed }
}

test('users of one source share its kernel, which outlasts the last of them', () => {
  const { kernels, take, compiled, disposed } = watched()
  const first = take('a')
  expect(take('a')).toBe(first)
  kernels.release('a')
  kernels.release('a')
  expect(take('a')).toBe(first)
  expect([compiled, disposed]).toEqual([['a'], []])
})

test('32 kernels without a user are kept: those that were used last', () => {
  const { kernels, take, disposed } = watched()
  const sources = Array.from({ length: 34 }, (_, n) => `${n}`)
  for (const source of sources) take(source)
  expect(disposed).toEqual([])
  kernels.release('1')
  kernels.release('0')
  for (const source of sources.slice(2)) kernels.release(source)
  expect(disposed).toEqual(['1', '0'])
})

test.each([
  ['which never ran well', { proven: false }],
  ['with a large sheet', { size: { width: 256, height: 257 } }],
])('a kernel %s is freed with its last user', (_, options) => {
  const { kernels, take, compiled, disposed } = watched(options)
  take('a')
  take('a')
  kernels.release('a')
  expect(disposed).toEqual([])
  kernels.release('a')
  expect(disposed).toEqual(['a'])
  take('a')
  expect(compiled).toEqual(['a', 'a'])
})
