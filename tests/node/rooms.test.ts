// The layout of the source: the same folders and names in every backend, in one order.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../../tools/pnpm.mjs'

const packages = join(root, 'packages')
const backends = ['webgpu', 'webgl', 'cpu-wasm'] as const

/** The sources of a package, as paths from its `src`. */
const filesOf = (name: string) =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

/** The folders of a backend in order, from the table in docs/architecture.md. `.` is the folder of `index.ts`. */
function roomsOf(backend: string): string[] {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const table = page.split('<!-- table: rooms -->')[1]?.trim().split('\n\n')[0] ?? ''
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()))
  return rows.flatMap(([, folders = '', where = '']) => {
    if (where !== 'all' && !where.split(', ').includes(backend)) return []
    if (folders === 'files beside them') return ['.']
    return [...folders.matchAll(/`(.+?)`/g)].map(([, folder = '']) => folder)
  })
}

/** The folder of a file within its half, `compile` or `run`. */
const roomOf = (file: string) => dirname(file).replace(/^(?:compile|run)\//, '')

/** The languages share a row: each backend has one language. */
const languages = ['wgsl', 'glsl', 'wasm']

test('at least 15 names of files are common to all backends', () => {
  const [first, ...others] = backends.map(
    (backend) => new Set(filesOf(`backend-${backend}`).map((file) => basename(file))),
  )
  const common = [...(first ?? [])].filter((name) => others.every((names) => names.has(name)))
  expect(common.length, common.join(' ')).toBeGreaterThanOrEqual(15)
})

/** Files with a folder of their own in each backend: the contents of a compiled file, the operators of a language, programs. */
const apart = ['compiled.ts', 'operators.ts', 'pair-program.ts']

test('files of one name are in one folder in every backend', () => {
  const places = backends.map((backend) => {
    const found = new Map<string, string[]>()
    for (const file of filesOf(`backend-${backend}`))
      found.set(basename(file), [...(found.get(basename(file)) ?? []), roomOf(file)])
    return found
  })
  const names = new Set(places.flatMap((found) => [...found.keys()]))
  const scattered = [...names].filter((name) => {
    const rooms = places.flatMap((found) => found.get(name) ?? [])
    const several = places.filter((found) => found.has(name))
    return several.length > 1 && !rooms.some((room) => several.every((found) => found.get(name)?.includes(room)))
  })
  expect(scattered.sort()).toEqual(apart)
})

/** Types that several files define, because each backend has its own version of the same thing. */
const counterparts = [
  'AheadOptions',
  'Designs',
  'ElementDesign',
  'FiledDesign',
  'FiledForm',
  'Fold',
  'FoldOf',
  'GridDesign',
  'GridSide',
  'GridSums',
  'HeldArray',
  'MatrixDesign',
  'Memory',
  'OnceRow',
  'PairDesign',
  'PairParts',
  'PairTexts',
  'ProgramDesign',
  'SourceOrder',
  'TextOptions',
  'TreeDesigns',
]

test('no two files export a type of the same name, unless they are counterparts', () => {
  const places = new Map<string, string[]>()
  for (const name of readdirSync(packages))
    for (const file of filesOf(name)) {
      const text = readFileSync(join(packages, name, 'src', file), 'utf8')
      for (const [, type = ''] of text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm))
        places.set(type, [...(places.get(type) ?? []), `${name}/src/${file}`])
    }
  const several = [...places].filter(([, files]) => files.length > 1)
  expect(several.filter(([type]) => !counterparts.includes(type))).toEqual([])
  expect(counterparts.filter((type) => !several.some(([one]) => one === type))).toEqual([])
})

test.each(backends)('the folders of %s are those in the table', (backend) => {
  const found = new Set(filesOf(`backend-${backend}`).map(roomOf))
  const rooms = roomsOf(backend).filter((room) => !languages.includes(room) || found.has(room))
  expect([...found].sort()).toEqual([...rooms].sort())
  expect(rooms.filter((room) => languages.includes(room))).toHaveLength(1)
})

test.each(backends)('no file of %s imports from a folder below its own in the table', (backend) => {
  const rooms = roomsOf(backend)
  const src = join(packages, `backend-${backend}`, 'src')
  let seen = 0
  const against = filesOf(`backend-${backend}`).flatMap((file) =>
    ts.preProcessFile(readFileSync(join(src, file), 'utf8'), true, true).importedFiles.flatMap(({ fileName }) => {
      if (!fileName.startsWith('.')) return []
      seen++
      const imported = relative(src, join(src, dirname(file), fileName))
      const [from, to] = [file, imported].map((path) => rooms.indexOf(roomOf(path))) as [number, number]
      return to > from ? [`${file} > ${imported}`] : []
    }),
  )
  expect(seen).toBeGreaterThan(50)
  expect(against).toEqual([])
})

test.each(backends)('each quirk of %s names a file that shows it, and says when to remove it', (backend) => {
  const src = join(packages, `backend-${backend}`, 'src')
  const quirks = filesOf(`backend-${backend}`).filter((file) => roomOf(file) === 'quirks')
  expect(quirks.length).toBeGreaterThan(1)
  for (const quirk of quirks) {
    const head = readFileSync(join(src, quirk), 'utf8').split('*/')[0] ?? ''
    const named = [...head.matchAll(/`((?:packages|tests)\/.+?\.ts)`/g)].map(([, file = '']) => file)
    expect(named.filter((file) => existsSync(join(root, file))).length, quirk).toBeGreaterThan(0)
    expect(head.replaceAll(/\n \*\s*/g, ' '), quirk).toMatch(/\bRemove this (when|with)\b/)
  }
})
