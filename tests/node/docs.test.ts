// The examples in README.md, those of the packages, and docs/: every js or ts block after `<!-- example -->` prints the text block that follows.
// Here they run on the source; tests/environments runs the README's against the packed packages.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { packages } from '../../scripts/packages.ts'
import { packagePages, pages } from '../../scripts/pages.ts'
import { root } from '../../scripts/pnpm.mjs'
import { readmeExample } from '../environments/readme-example.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'manybody-docs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = (page: string): string => readFileSync(join(root, page), 'utf8')

const marker = '<!-- example -->'
const examples = pages.flatMap((page) =>
  text(page)
    .split(marker)
    .slice(1)
    .map((part, n) => ({ page, n, ...readmeExample(marker + part) })),
)

/** Import specifiers of our packages to their sources. */
const sources = new Map(packages.flatMap(({ entries }) => Object.entries(entries)))

test.for(examples)('$page, example $n', async ({ code, answer }) => {
  const file = join(folder, `${crypto.randomUUID()}.mts`)
  const linked = code.replaceAll(/from '([^']+)'/g, (statement, name: string) => {
    const source = sources.get(name)
    return source ? `from '${pathToFileURL(source)}'` : statement
  })
  writeFileSync(file, linked)
  const { stdout } = await run(join(root, 'node_modules/.bin/tsx'), [file], { cwd: root })
  expect(stdout.trim()).toBe(answer.trim())
})

test.for(packagePages)('%s has an example', (page) => {
  expect(examples.map((example) => example.page)).toContain(page)
})

/** What a page links to, but for places in it and on the web. */
const linksOf = (page: string): readonly string[] =>
  [...text(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))

test.for(pages)('links of %s lead somewhere', (page) => {
  expect(linksOf(page).filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([])
})

test.for(packagePages)('%s, which is packed without its surroundings, does not link to them', (page) => {
  expect(linksOf(page)).toEqual([])
})

test('the README stays under 150 lines', () => {
  expect(text('README.md').split('\n').length).toBeLessThan(150)
})
