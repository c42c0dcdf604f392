// The lint rules that keep the architecture: who may import whom, no cycles, no promise left alone, no way around types.
// Each case is a few small files, laid out as in this repository in a temporary folder and linted with its biome.json.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The error Biome gives for these files, as `rule` or `plugin`, without repetition. */
function errors(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'manybody-lint-'))
  try {
    for (const name of ['biome.json', 'lint', '.gitignore'])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', '--reporter=json', '.'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; severity: string }[] }
    const failing = diagnostics.filter(({ severity }) => severity === 'error')
    return [...new Set(failing.map(({ category }) => category.split('/').at(-1) ?? category))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const allowed: [folder: string, statement: string][] = [
  ['core', "import './expression/parse.ts'"],
  ['backend-webgpu', "import '@manybody/core'"],
  ['backend-webgpu', "export const driver = import('webgpu')"],
  ['backend-webgl', "import '@manybody/core'"],
  ['backend-webgl', "export const driver = import('gpu.js')"],
  ['backend-cpu-wasm', "import '@manybody/core'"],
  ['backend-cpu-wasm', "export const threads = import('node:worker_threads')"],
  ['backend-cpu-wasm', "import type { Worker } from 'node:worker_threads'\nexport type Thread = Worker"],
  ['conformance', "import '@manybody/core'"],
  ['manybody', "export const backend = import('@manybody/backend-webgl')"],
]

const forbidden: [folder: string, statement: string, rule?: string][] = [
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
  ['backend-webgl', "import 'webgpu'"],
  ['backend-webgl', "import '@manybody/conformance'"],
  ['backend-cpu-wasm', "import 'webgpu'"],
  ['backend-cpu-wasm', "import { Worker } from 'node:worker_threads'\nexport const thread = Worker", 'plugin'],
  ['backend-cpu-wasm', "import '../../core/src/engine.ts'"],
  ['conformance', "import '@manybody/backend-webgl'"],
  ['conformance', "import 'vitest'"],
  ['manybody', "import 'webgpu'"],
  ...['core', 'backend-webgpu', 'backend-webgl', 'backend-cpu-wasm', 'conformance', 'manybody'].flatMap(
    (folder): [string, string][] => [
      [folder, "import './index.ts'"],
      [folder, "import '../index.ts'"],
      [folder, "import './expression/index.ts'"],
      [folder, "import '..'"],
    ],
  ),
]

test.for(allowed)('%s may say: %s', ([folder, statement]) => {
  expect(errors({ [`packages/${folder}/src/file.ts`]: `${statement}\n` })).toEqual([])
})

test.for(forbidden)('%s may not say: %s', ([folder, statement, rule = 'noRestrictedImports']) => {
  expect(errors({ [`packages/${folder}/src/file.ts`]: `${statement}\n` })).toEqual([rule])
})

test('a promise from a function in another file must be awaited', () => {
  const files = {
    'packages/core/src/late.ts': 'export async function late(): Promise<number> {\n  return 1\n}\n',
    'packages/core/src/use.ts': "import { late } from './late.ts'\nexport function use(): void {\n  late()\n}\n",
  }
  expect(errors(files)).toEqual(['noFloatingPromises'])
})

test('a promise from a method of an interface in another file must be awaited', () => {
  const files = {
    'packages/core/src/engine.ts': 'export interface Engine {\n  run(): Promise<number>\n}\n',
    'packages/core/src/use.ts':
      "import type { Engine } from './engine.ts'\nexport function use(engine: Engine): void {\n  engine.run()\n}\n",
  }
  expect(errors(files)).toEqual(['noFloatingPromises'])
})

test('files may not import each other in a cycle', () => {
  const files = {
    'packages/core/src/a.ts': "import { b } from './b.ts'\nexport const a = (): number => b()\n",
    'packages/core/src/b.ts': "import { a } from './a.ts'\nexport const b = (): number => a()\n",
  }
  expect(errors(files)).toEqual(['noImportCycles'])
})

test.for([
  ['noExplicitAny', 'export const x: any = 1'],
  ['noNonNullAssertion', 'export const x = (y: number[]): number => y[0]!.valueOf()'],
  ['noUnusedImports', "import { y } from './y.ts'\nexport const x = 1"],
  ['noUnusedVariables', 'const x = 1\nexport {}'],
] as const)('%s is an error', ([rule, text]) => {
  expect(errors({ 'packages/core/src/x.ts': `${text}\n` })).toEqual([rule])
})
