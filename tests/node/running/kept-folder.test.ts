// A kept folder is made again when a file that it is made from changes, and only then.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keptFolder } from '../../../scripts/support/kept-folder.ts'

const home = mkdtempSync(join(tmpdir(), 'manybody-kept-'))
afterAll(() => rmSync(home, { recursive: true }))

/** A source folder with one file, and a function that keeps a copy of the file and counts how often it is made. */
function workshop(name: string, duringMake: (turn: number) => void = () => undefined) {
  const [cache, source] = [join(home, name, 'cache'), join(home, name, 'source')]
  for (const inside of ['deep', 'dist', 'node_modules']) mkdirSync(join(source, inside), { recursive: true })
  const write = (path: string, text: string) => writeFileSync(join(source, path), text)
  write('deep/a', 'one')
  const made = { times: 0 }
  const kept = async () => {
    const folder = await keptFolder({
      cache,
      from: [source],
      async make(draft) {
        const text = readFileSync(join(source, 'deep/a'), 'utf8')
        made.times++
        duringMake(made.times)
        writeFileSync(join(draft, 'copy'), text)
      },
    })
    return readFileSync(join(folder, 'copy'), 'utf8')
  }
  return { cache, source, write, made, kept }
}

test('is made once', async () => {
  const { kept, made, write } = workshop('once')
  expect(await kept()).toBe('one')
  write('dist/built', 'by the first')
  write('node_modules/installed', 'later')
  expect(await kept()).toBe('one')
  expect(made.times).toBe(1)
})

test('is made again after a change of a content, a name or the set of files', async () => {
  const { kept, made, write, source } = workshop('changed')
  await kept()
  write('deep/a', 'two')
  expect(await kept()).toBe('two')
  write('deep/b', '')
  await kept()
  renameSync(join(source, 'deep/b'), join(source, 'deep/c'))
  await kept()
  expect(made.times).toBe(4)
})

test('is made again if a file changes meanwhile', async () => {
  const { kept, made, write, cache } = workshop('meanwhile', (turn) => {
    if (turn === 1) write('deep/a', 'two')
  })
  expect(await kept()).toBe('two')
  expect(made.times).toBe(2)
  expect(readdirSync(cache)).toHaveLength(1)
})

test('is not kept if it cannot be made', async () => {
  const { kept, cache } = workshop('failed', (turn) => {
    if (turn === 1) throw new Error('no room')
  })
  await expect(kept()).rejects.toThrow('no room')
  expect(readdirSync(cache)).toEqual([])
  expect(await kept()).toBe('one')
})

test('is shared by two that make it at once', async () => {
  const { kept, cache } = workshop('race')
  expect(await Promise.all([kept(), kept()])).toEqual(['one', 'one'])
  expect(readdirSync(cache)).toHaveLength(1)
})

test('goes when it is an hour old and replaced', async () => {
  const { kept, cache, write } = workshop('old')
  await kept()
  const [first = ''] = readdirSync(cache)
  write('deep/a', 'two')
  await kept()
  expect(readdirSync(cache)).toContain(first)
  utimesSync(join(cache, first), 0, 0)
  write('deep/a', 'three')
  await kept()
  expect(readdirSync(cache)).not.toContain(first)
  expect(readdirSync(cache)).toHaveLength(2)
})
