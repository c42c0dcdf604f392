// The folders of the repository stand on floors: none imports a file of a floor above.

import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ownFiles } from '../../../tools/own-files.ts'
import { root } from '../../../tools/pnpm.mjs'

/** From the lowest up, from the table in docs/architecture.md. */
function floors(): readonly string[] {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const table = page.split('<!-- table: floors -->')[1]?.trim().split('\n\n')[0] ?? ''
  return [...table.matchAll(/^\| `(\w+)` /gm)].map(([, folder = '']) => folder)
}

const files = ownFiles().filter((file) => /\.(m?ts|m?js)$/.test(file))

/** The files that a file imports by their paths, as paths of the repository. */
function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
  const relative = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'))
  return relative.map((name) => normalize(join(dirname(file), name)).replaceAll('\\', '/'))
}

const folderOf = (file: string) => file.split('/')[0] as string

test('every folder with sources stands on a floor', () => {
  const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf))
  expect([...folders].sort()).toEqual([...floors()].sort())
})

test('no folder imports from a floor above it', () => {
  const order = floors()
  const upwards = files.flatMap((file) => {
    const own = order.indexOf(folderOf(file))
    return importsOf(file)
      .filter((other) => own >= 0 && order.indexOf(folderOf(other)) > own)
      .map((other) => `${file} imports ${other}`)
  })
  expect(upwards).toEqual([])
})
