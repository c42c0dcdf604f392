// Compares the drawings of docs/architecture.md with the imports of the source, in both directions.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../../tools/pnpm.mjs'

const packages = join(root, 'packages')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** The arrows of a drawing, as "from > to". A dot marks arrows that load on demand. */
function drawn(name: string): string[] {
  const text = page.split(`<!-- drawing: ${name} -->`)[1]?.split('```')[1] ?? ''
  return [...text.matchAll(/^ *([\w-]+)(?:\[.*?\])? (-->|-\. [a-z ]+ \.->) ([\w-]+)/gm)].map(
    ([, from, arrow, to]) => `${from} ${arrow === '-->' ? '>' : '.>'} ${to}`,
  )
}

/** The imports of the files under a folder: the importing file, the specifier, and the file's text. */
function imports(folder: string): { from: string; specifier: string; text: string }[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return names.flatMap((name) => {
    const from = join(folder, name)
    const text = readFileSync(from, 'utf8')
    return ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => ({ from, specifier: fileName, text }))
  })
}

const unique = (arrows: readonly string[]) => [...new Set(arrows)].sort()

/** Removes the arrows to folders that import nothing, until none is left to remove. Only circles remain. */
function circlesIn(arrows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const importing = new Set(arrows.map(([from]) => from))
  const left = arrows.filter(([, to]) => importing.has(to))
  return left.length === arrows.length ? left : circlesIn(left)
}

test('the drawn packages are those of the imports', () => {
  const names = readdirSync(packages)
  const found = names.flatMap((from) =>
    imports(join(packages, from, 'src')).flatMap(({ specifier, text }) => {
      const to = /^(?:@manybody\/)?([\w-]+)/.exec(specifier)?.[1]
      if (!to || !names.includes(to)) return []
      return `${from} ${text.includes(`import('${specifier}`) ? '.>' : '>'} ${to}`
    }),
  )
  expect(unique(drawn('packages'))).toEqual(unique(found))
})

/** The arrows that no longer path implies. */
function direct(arrows: readonly string[]): string[] {
  const pairs = unique(arrows).map((arrow) => arrow.split(' > ') as [string, string])
  const reaches = (from: string, to: string, besides: string): boolean =>
    pairs.some(([a, b]) => a === from && `${a} > ${b}` !== besides && (b === to || reaches(b, to, besides)))
  return pairs
    .map(([a, b]) => `${a} > ${b}`)
    .filter((arrow) => !reaches(...(arrow.split(' > ') as [string, string]), arrow))
}

test('the drawn folders of core are those of the imports, and none points back up', () => {
  const src = join(packages, 'core/src')
  const folderOf = (file: string) => relative(src, file).split('/')
  const found = imports(src).flatMap(({ from, specifier }) => {
    const [a, b] = [folderOf(from), folderOf(join(dirname(from), specifier))]
    return a.length > 1 && b.length > 1 && a[0] !== b[0] ? `${a[0]} > ${b[0]}` : []
  })
  expect(circlesIn(found.map((arrow) => arrow.split(' > ')))).toEqual([])
  expect(unique(drawn('core'))).toEqual(direct(found))
})

test('files beside the folders of core point down, too', () => {
  const src = join(packages, 'core/src')
  const roomOf = (file: string) => relative(src, file).split('/')[0] ?? ''
  const arrows = imports(src).map(
    ({ from, specifier }) => [roomOf(from), roomOf(join(dirname(from), specifier))] as const,
  )
  expect(arrows.length).toBeGreaterThan(100)
  expect(circlesIn(arrows.filter(([from, to]) => from !== to))).toEqual([])
})

test('each function on the path of a law is in the drawn file, and calls the functions to which its arrows point', () => {
  const files = new Map([...page.matchAll(/(\w+)\["\1<br>(.*?)"\]/g)].map(([, name = '', file = '']) => [name, file]))
  const textOf = (name: string) => readFileSync(join(packages, files.get(name) ?? ''), 'utf8')
  expect(files.size).toBeGreaterThan(5)
  for (const [name, file] of files) expect(textOf(name), file).toMatch(new RegExp(`export function ${name}\\b`))
  for (const arrow of drawn('law')) {
    const [from = '', to = ''] = arrow.split(' > ')
    expect(textOf(from), arrow).toMatch(new RegExp(`import [^']*\\b${to}\\b[^']* from '`))
    expect(textOf(from), arrow).toMatch(new RegExp(`\\b${to}\\(`))
  }
})
