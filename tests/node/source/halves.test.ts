// The halves of a backend: opening a device loads no compiler, and a single place loads it.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'

/** The backends with sources in two halves. */
const backends = ['webgpu', 'webgl']

interface Imports {
  /** The files that a file loads at once. */
  readonly atOnce: readonly string[]
  readonly later: readonly string[]
}

/** The files of the same package that a file imports, except imports of types alone. */
function importsOf(src: string, file: string): Imports {
  const source = ts.createSourceFile(file, readFileSync(join(src, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const [atOnce, later]: [string[], string[]] = [[], []]
  const add = (list: string[], specifier: ts.Node | undefined) => {
    if (specifier && ts.isStringLiteral(specifier) && specifier.text.startsWith('.'))
      list.push(normalize(join(dirname(file), specifier.text)))
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) add(atOnce, node.moduleSpecifier)
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) add(atOnce, node.moduleSpecifier)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(later, node.arguments[0])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { atOnce, later }
}

const compiles = (file: string) => file.startsWith('compile/')

describe.each(backends)('the halves of %s', (backend) => {
  const src = join(root, `packages/backend-${backend}/src`)
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const imports = new Map(files.map((file) => [file, importsOf(src, file)]))

  test('an open device has loaded nothing that compiles', () => {
    const loaded = new Set(['index.ts'])
    for (const file of loaded) {
      const { atOnce = [], later = [] } = imports.get(file) ?? {}
      for (const next of [...atOnce, ...later.filter((file) => !compiles(file))]) loaded.add(next)
    }
    expect([...loaded].filter((file) => file.startsWith('run/')).length).toBeGreaterThan(10)
    expect([...loaded].filter(compiles)).toEqual([])
  })

  test('one file loads the compiling half, later', () => {
    const doors = files.filter((file) => !compiles(file) && imports.get(file)?.later.some(compiles))
    expect(doors).toEqual(['device.ts'])
  })
})
