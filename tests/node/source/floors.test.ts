// The folders of the repository stand on floors, and so do those of the benchmark: none imports a file of a floor above.

import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ownFiles } from '../../../tools/own-files.ts'
import { root } from '../../../tools/pnpm.mjs'

/** From the lowest up, from a table of a page. */
function floorsIn(page: string, name: string): readonly string[] {
  const table = readFileSync(join(root, page), 'utf8').split(`<!-- table: ${name} -->`)[1]?.trim().split('\n\n')[0]
  return [...(table ?? '').matchAll(/^\| `([\w/]+)` /gm)].map(([, folder = '']) => folder)
}

const files = ownFiles().filter((file) => /\.(m?ts|m?js)$/.test(file))

/** The files that a file imports by their paths, as paths of the repository. */
function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
  const relative = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'))
  return relative.map((name) => normalize(join(dirname(file), name)).replaceAll('\\', '/'))
}

const sources = files.filter((file) => file.includes('/'))

/** A folder of the benchmark, with those inside it; files beside the folders of `src` are a floor of their own. */
const roomOf = (file: string) => /^bench\/((?:src\/\w+|src|\w+)(?=\/))/.exec(file)?.[1] ?? ''

describe.each([
  ['the repository', sources, floorsIn('docs/architecture.md', 'floors'), (file: string) => file.split('/')[0] ?? ''],
  ['the benchmark', sources.filter(roomOf), floorsIn('bench/README.md', 'bench'), roomOf],
] as const)('%s', (_, inside, floors, folderOf) => {
  test('every folder with sources stands on a floor', () => {
    expect([...new Set(inside.map(folderOf))].sort()).toEqual([...floors].sort())
  })

  test('no folder imports from a floor above it', () => {
    const upwards = inside.flatMap((file) =>
      importsOf(file)
        .filter((other) => floors.indexOf(folderOf(other)) > floors.indexOf(folderOf(file)))
        .map((other) => `${file} imports ${other}`),
    )
    expect(upwards).toEqual([])
  })
})
