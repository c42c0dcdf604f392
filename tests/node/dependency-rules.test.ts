// The lint rules that keep the architecture: who may import whom, no cycles, no floating promise, no way around types. Each case is a few
// small files. They are laid out like this repository in a temporary folder, and linted with its biome.json.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The rules that these files break, file by file; a file that breaks none is absent. One run of Biome for all. */
function brokenRules(files: Record<string, string>): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'manybody-lint-'))
  try {
    for (const name of ['biome.json', '.gitignore']) cpSync(join(root, name), join(folder, name))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/biome'),
      ['lint', '--reporter=json', '--max-diagnostics=none', '--diagnostic-level=error', '.'],
      { cwd: folder, encoding: 'utf8' },
    )
    const broken: Record<string, string[]> = {}
    for (const { category, location } of (JSON.parse(stdout) as Report).diagnostics) {
      const rule = category.split('/').at(-1) ?? category
      broken[location.path] = [...new Set([...(broken[location.path] ?? []), rule])]
    }
    return broken
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Report {
  readonly diagnostics: readonly { readonly category: string; readonly location: { readonly path: string } }[]
}

const allowed: [folder: string, statement: string][] = [
  ['core', "import './expression/parse.ts'"],
  ['backend-webgpu', "import '@manybody/core'"],
  ['backend-webgpu', "export const driver = import('webgpu')"],
  ['backend-webgpu', "export const door = import('./compile/designs/designs.ts')"],
  ['backend-webgpu/compile', "import '../design/design.ts'"],
  ['backend-webgpu/compile', "import '@manybody/core/expression'"],
  ['backend-webgpu/run', "import '../design/design.ts'"],
  ['backend-webgpu/run', "export const driver = import('webgpu')"],
  ['backend-webgl', "import '@manybody/core'"],
  ['backend-webgl', "export const driver = import('gpu.js')"],
  ['backend-webgl', "export const door = import('./compile/designs/designs.ts')"],
  ['backend-webgl/compile', "import '../design/design.ts'"],
  ['backend-webgl/compile', "import '@manybody/core/expression'"],
  ['backend-webgl/run', "import '../design/design.ts'"],
  ['backend-webgl/run', "export const driver = import('gpu.js')"],
  ['backend-cpu-wasm', "import '@manybody/core'"],
  ['conformance', "import '@manybody/core'"],
  ['manybody', "export const backend = import('@manybody/backend-webgl')"],
  ['cluster', "import 'manybody'"],
  ['cluster', "import '@nats-io/nats-core'"],
]

const forbidden: [folder: string, statement: string][] = [
  ['core', "import '@manybody/backend-webgpu'"],
  ['core', "import 'gpu.js'"],
  ['core', "import 'node:fs'"],
  ['core', "import 'fs'"],
  ['core', "export const files = import('node:fs')"],
  ['core', "export { createWebgl } from '@manybody/backend-webgl'"],
  ['core', "import '../../conformance/src/cases.ts'"],
  ['backend-webgpu', "import '@manybody/backend-webgl'"],
  ['backend-webgpu', "import 'gpu.js'"],
  ['backend-webgpu', "export const files = import('node:fs')"],
  ['backend-webgpu/compile', "import '../run/host/host.ts'"],
  ['backend-webgpu/compile', "export type { GpuHost } from '../run/host/host.ts'"],
  ['backend-webgpu/compile', "export const driver = import('webgpu')"],
  ['backend-webgpu/run', "import '../compile/designs/designs.ts'"],
  ['backend-webgpu/run', "export const door = import('../compile/designs/designs.ts')"],
  ['backend-webgpu/run', "import 'gpu.js'"],
  ...['design', 'quirks'].flatMap((between): [string, string][] => [
    [`backend-webgpu/${between}`, "import '../compile/wgsl/operators.ts'"],
    [`backend-webgpu/${between}`, "import '../run/host/host.ts'"],
  ]),
  ['backend-webgl', "import 'webgpu'"],
  ['backend-webgl', "import '@manybody/conformance'"],
  ['backend-webgl/compile', "import '../run/host/host.ts'"],
  ['backend-webgl/compile', "export type { GlHost } from '../run/host/host.ts'"],
  ['backend-webgl/compile', "export const driver = import('gpu.js')"],
  ['backend-webgl/run', "import '../compile/glsl/dialect.ts'"],
  ['backend-webgl/run', "export const door = import('../compile/designs/designs.ts')"],
  ['backend-webgl/run', "import 'webgpu'"],
  ...['design', 'quirks'].flatMap((between): [string, string][] => [
    [`backend-webgl/${between}`, "import '../compile/glsl/dialect.ts'"],
    [`backend-webgl/${between}`, "import '../run/host/host.ts'"],
  ]),
  ['backend-cpu-wasm', "import 'webgpu'"],
  ['backend-cpu-wasm', "import 'node:worker_threads'"],
  ['backend-cpu-wasm', "export const threads = import('node:worker_threads')"],
  ['backend-cpu-wasm', "import '../../core/src/engine.ts'"],
  ['conformance', "import '@manybody/backend-webgl'"],
  ['conformance', "import 'vitest'"],
  ['manybody', "import 'webgpu'"],
  ['cluster', "import '@manybody/backend-cpu-wasm'"],
  ['cluster', "import '@manybody/conformance'"],
  ...['core', 'backend-webgpu', 'backend-webgl', 'backend-cpu-wasm', 'conformance', 'manybody', 'cluster'].flatMap(
    (folder): [string, string][] => [
      [folder, "import './index.ts'"],
      [folder, "import '../index.ts'"],
      [folder, "import './expression/index.ts'"],
      [folder, "import '..'"],
    ],
  ),
]

/** The file of a case, in the sources of a package or in one of their folders. */
function pathOf(folder: string, statement: string): string {
  const [name, ...within] = folder.split('/')
  const file = `case-${createHash('sha1').update(statement).digest('hex')}.ts`
  return ['packages', name, 'src', ...within, file].join('/')
}

const imports = brokenRules(
  Object.fromEntries([...allowed, ...forbidden].map(([folder, text]) => [pathOf(folder, text), `${text}\n`])),
)

test.for(allowed)('%s may contain: %s', ([folder, statement]) => {
  expect(imports[pathOf(folder, statement)]).toBeUndefined()
})

test.for(forbidden)('%s may not contain: %s', ([folder, statement]) => {
  expect(imports[pathOf(folder, statement)]).toEqual(['noRestrictedImports'])
})

test('a promise from a function in another file must be awaited', () => {
  const files = {
    'packages/core/src/late.ts': 'export async function late(): Promise<number> {\n  return 1\n}\n',
    'packages/core/src/use.ts': "import { late } from './late.ts'\nexport function use(): void {\n  late()\n}\n",
  }
  expect(brokenRules(files)).toEqual({ 'packages/core/src/use.ts': ['noFloatingPromises'] })
})

test('a promise from a method of an interface in another file must be awaited', () => {
  const files = {
    'packages/core/src/engine.ts': 'export interface Engine {\n  run(): Promise<number>\n}\n',
    'packages/core/src/use.ts':
      "import type { Engine } from './engine.ts'\nexport function use(engine: Engine): void {\n  engine.run()\n}\n",
  }
  expect(brokenRules(files)).toEqual({ 'packages/core/src/use.ts': ['noFloatingPromises'] })
})

test('files may not import each other in a cycle, not even for types', () => {
  const files = {
    'packages/core/src/a.ts': "import { b } from './b.ts'\nexport const a = (): number => b()\n",
    'packages/core/src/b.ts':
      "import type { a } from './a.ts'\nexport const b = (): number => 1\nexport type A = typeof a\n",
  }
  expect(brokenRules(files)).toEqual({
    'packages/core/src/a.ts': ['noImportCycles'],
    'packages/core/src/b.ts': ['noImportCycles'],
  })
})

test.for([
  ['noExplicitAny', 'export const x: any = 1'],
  ['noNonNullAssertion', 'export const x = (y: number[]): number => y[0]!.valueOf()'],
  ['noUnusedImports', "import { y } from './y.ts'\nexport const x = 1"],
  ['noUnusedVariables', 'const x = 1\nexport {}'],
] as const)('%s is an error', ([rule, text]) => {
  expect(brokenRules({ 'packages/core/src/x.ts': `${text}\n` })).toEqual({ 'packages/core/src/x.ts': [rule] })
})
