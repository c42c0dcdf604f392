// The examples in README.md, those of the packages, and docs/: every js or ts block after `<!-- example -->` prints the text block that follows.
// Here they run on the source; tests/environments runs the README's against the packed packages.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
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

describe('links lead somewhere', () => {
  test.for(pages)('%s', (page) => {
    const links = [...text(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link)
    const missing = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(page), link)))
    expect(missing).toEqual([])
  })
})

test('the README stays under 150 lines', () => {
  expect(text('README.md').split('\n').length).toBeLessThan(150)
})
