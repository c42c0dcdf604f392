// TypeScript's messages for a wrong value, under `strict`: one short message at the wrong value. code-blocks.test.ts compiles the
// documentation's code.

import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { packages } from '../../../scripts/packages.ts'
import { root } from '../../../tools/pnpm.mjs'

const base = join(root, 'tests/node')
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
  paths: Object.fromEntries(
    packages.flatMap(({ entries }) => Object.entries(entries)).map(([name, file]) => [name, [file]]),
  ),
}

/** The compiler's messages about each of several modules. */
function messagesFor(texts: readonly string[]): readonly (readonly string[])[] {
  const files = new Map(texts.map((text, n) => [join(base, `virtual-${n}.ts`), text]))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name)
    return text === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, text, ts.ScriptTarget.ES2023)
  }
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name) ?? readFile(name)
  const program = ts.createProgram([...files.keys()], options, host)
  return [...files.keys()].map((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  )
}

const head = `
  import { accelerations, type Engine, gravity, map, stencil } from 'manybody'
  declare const engine: Engine
  const position = new Float32Array(3)
`
const wrong: readonly [name: string, code: string, message: RegExp][] = [
  ['texts', `engine.run(accelerations(gravity()), { position, mass: ['1'] })`, /^Type 'string' is not assignable/],
  ['no positions', `engine.run(accelerations(gravity()), { mass: [1] })`, /Property 'position' is missing/],
  [
    'a list of points',
    `engine.run(accelerations(gravity()), { position: [[0, 0, 0]], mass: [1] })`,
    /is not assignable to type 'number'/,
  ],
  [
    'whole numbers',
    `engine.verify(accelerations(gravity()), { position: new Int32Array(3), mass: [1] })`,
    /^Type 'Int32Array/,
  ],
  ['texts for a map', `engine.run(map({ a: '2*q' }), { q: '1' })`, /^Type 'string' is not assignable/],
  ['a text for a field', `engine.run(stencil({ a: 'c' }, { cells: [1, 1], spacing: 1 }), { field: '1' })`, /'string'/],
  ['no shape', `engine.prepare(accelerations(gravity()), { counts: 1 })`, /'counts' does not exist/],
]

test('the error for a wrong value is about that value, not about another overload', { timeout: 120_000 }, () => {
  const messages = messagesFor(wrong.map(([, code]) => head + code))
  for (const [n, [name, , message]] of wrong.entries()) {
    const told = messages[n] ?? []
    expect([name, ...told]).toEqual([name, expect.stringMatching(message)])
    expect(told.join()).not.toMatch(/overload|MapWorkload/)
  }
})
