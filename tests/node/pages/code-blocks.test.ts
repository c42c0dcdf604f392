// Every js block of the manuals is an example that docs.test.ts runs. Every js and ts block compiles as strict TypeScript, which most
// readers write. Blocks may use objects of their reader, such as an engine; these are declared here.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packages } from '../../../scripts/packages.ts'
import { pages } from '../../../scripts/pages/pages.ts'
import { root } from '../../../tools/pnpm.mjs'

/** The objects that the text around a block assumes. */
const ofTheReader = `import type { Engine } from 'manybody'
declare global {
  const engine: Engine
  const [position, mass]: [Float32Array, Float32Array]
  const nodes: { x: number; y: number }[]
  const links: { source: number; target: number }[]
}
`

/** These pages quote files that are compiled as a whole; writing-a-backend.test.ts and excerpts.test.ts compare them. */
const quoting = ['docs/writing-a-backend.md', 'docs/walks.md']

/** Code from before the reader used our packages. */
const before = '// gpu.js: one thread for each target'

const folder = mkdtempSync(join(tmpdir(), 'manybody-blocks-'))
afterAll(() => rmSync(folder, { recursive: true }))

const blocks = pages
  .filter((page) => !quoting.includes(page))
  .flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/(.*)\n\n```(js|ts)\n([\s\S]*?)```/g)].map(
      ([, above, language, code = '']) => ({ page, runs: above === '<!-- example -->', language, code }),
    ),
  )

test('every block of JavaScript in the manuals runs', () => {
  const left = blocks.filter(({ language, runs }) => language === 'js' && !runs)
  expect(left.filter(({ code }) => !code.startsWith(before))).toEqual([])
})

test('every block of code in the manuals compiles as strict TypeScript', () => {
  const typed = blocks.filter(({ code }) => !code.startsWith(before))
  expect(typed.length).toBeGreaterThan(50)
  typed.forEach(({ page, code }, n) => {
    writeFileSync(join(folder, `${page.replaceAll(/\W/g, '-')}-${n}.ts`), `${code}\nexport {}\n`)
  })
  writeFileSync(join(folder, 'reader.ts'), ofTheReader)
  const installed = join(root, 'tests/node_modules')
  const entries = packages.flatMap((one) => Object.entries(one.entries).map(([name, file]) => [name, [file]]))
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true },
    ...{ target: 'ES2023', lib: ['ES2023', 'ESNext.Disposable', 'DOM'], module: 'preserve' },
    ...{ types: ['node', '@webgpu/types'], typeRoots: [join(installed, '@types'), installed] },
    allowImportingTsExtensions: true,
    paths: { ...Object.fromEntries(entries), '*': [join(installed, '@types/*'), join(installed, '*')] },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '--project', folder], { encoding: 'utf8' })
  expect(stdout + stderr).toBe('')
})
