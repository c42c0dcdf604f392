// The manifests of the published packages: the fields that the registry and its trusted publishing need, and the same version and
// repository in all. The root's package.json names the repository, and the others repeat it.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { packages } from '../../scripts/packages.ts'
import { pages } from '../../scripts/pages/pages.ts'
import { chapters } from '../../site/navigation.ts'
import { root } from '../../tools/pnpm.mjs'

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const whole = read('package.json')

test.each(packages)('the manifest of $name is ready to be published', ({ folder }) => {
  const path = relative(root, folder)
  expect(read(join(path, 'package.json'))).toMatchObject({
    version: packages[0]?.version,
    description: expect.stringMatching(/\.$/),
    keywords: expect.arrayContaining([expect.any(String)]),
    license: 'MIT',
    homepage: whole.homepage,
    bugs: whole.bugs,
    repository: { ...whole.repository, directory: path },
    publishConfig: { access: 'public', provenance: true },
  })
})

test('every change names its packages as a release reads them', () => {
  const changes = readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md'))
  expect(changes.length).toBeGreaterThan(0)
  for (const file of changes)
    expect(readFileSync(join(root, '.changeset', file), 'utf8'), file).toMatch(
      /^---\n("(manybody|@manybody\/[\w-]+)": (major|minor|patch)\n)+---\n\n\S/,
    )
})

test('the menu of the site has every page of docs/ once', () => {
  const inMenu = chapters.flatMap((chapter) => chapter.pages.map((page) => join('docs', page)))
  expect([...inMenu].sort()).toEqual(pages.filter((page) => page.startsWith('docs/')).sort())
})
