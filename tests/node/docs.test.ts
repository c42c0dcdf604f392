// The examples in README.md, in the packages and in docs/: every js or ts block after `<!-- example -->` prints the text block that
// follows. Here they run on the source; tests/environments runs the README's example on the packed packages.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { packages } from '../../scripts/packages.ts'
import { packagePages, pages } from '../../scripts/pages/pages.ts'
import { root } from '../../tools/pnpm.mjs'
import { readmeExample } from '../environments/readme-example.ts'
import { saidByEach } from '../support/said-by-each.ts'

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

/** Maps import specifiers of our packages to their sources. */
const sources = new Map(packages.flatMap(({ entries }) => Object.entries(entries)))

const files = examples.map(({ code }, n) => {
  const file = join(folder, `${n}.mts`)
  const linked = code.replaceAll(/from '([^']+)'/g, (statement, name: string) => {
    const source = sources.get(name)
    return source ? `from '${pathToFileURL(source)}'` : statement
  })
  writeFileSync(file, linked)
  return file
})
const said = await saidByEach(files.map((file) => [file]))

test.each(examples.map((example, n) => ({ ...example, said: said[n] })))('$page, example $n', ({ said, answer }) => {
  expect({ ...said, stdout: said?.stdout.trim() }).toEqual({ stdout: answer.trim(), stderr: '', status: 0 })
})

test.for(packagePages)('%s has an example', (page) => {
  expect(examples.map((example) => example.page)).toContain(page)
})

/** The links and pictures of a page, except anchors and web addresses. Code, such as `u[kind_i](r)`, has none. */
const linksOf = (page: string): readonly string[] =>
  [
    ...text(page)
      .replaceAll(/```.*?```/gs, '')
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/(?:\]\(|<img src=")([^)#"\s]+)/g),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))

test.for(pages)('links of %s lead somewhere', (page) => {
  expect(linksOf(page).filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([])
})

/** The anchor of a heading, as GitHub makes it: lower case, words joined by dashes, other signs left out. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (page: string): readonly string[] =>
  [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

test.for(pages)('anchors in links of %s are those of headings', (page) => {
  const links = [...text(page).matchAll(/\]\(((?!https?:)[^)#\s]*)#([^)\s]+)\)/g)]
  const lost = links.filter(([, link = '', anchor = '']) => {
    const other = link === '' ? page : join(dirname(page), link)
    return other.endsWith('.md') && !anchorsOf(other).includes(anchor)
  })
  expect(lost.map(([link]) => link)).toEqual([])
})

test('the table of contents by task has what newcomers could not find', () => {
  const [contents = ''] = text('docs/how-to.md').split('\n## ')
  const tasks = ['#order-of-numbers', '#add-two-laws', '#map-points', '#read-a-matrix-in-blocks', '#how-many-points']
  for (const link of [...tasks, 'simulation.md#snapshots', 'units-and-signs.md#laws'])
    expect(contents, link).toContain(`](${link})`)
})

test.for(packagePages)('%s, which is packed alone, does not link to other files', (page) => {
  expect(linksOf(page)).toEqual([])
})

test('words from elsewhere, which the search of the site finds, lead to a page or to the nearest thing', () => {
  const rows = text('docs/words.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => {
      const [, words = '', place = ''] = line.split('|')
      return { words: words.split(/[^\p{L}\p{N}-]+/u).join(' '), place }
    })
  for (const word of ['species', 'rigid', 'table', 'neighbour list', 'cell list', 'k-d tree', 'Ewald', 'spawn'])
    expect(
      rows.some(({ words, place }) => `${words} `.includes(` ${word} `) && /\]\(\S+\)|not yet/.test(place)),
      word,
    ).toBe(true)
})

test('the README stays under 150 lines', () => {
  expect(text('README.md').split('\n').length).toBeLessThan(150)
})
