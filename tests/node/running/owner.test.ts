// `npm run owner` fills in the owner of the repository everywhere, and lists what is left before a release. It runs on a copy.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packages } from '../../../scripts/packages.ts'
import { ownFiles } from '../../../tools/own-files.ts'
import { root } from '../../../tools/pnpm.mjs'
import { saidByEach } from '../../support/said-by-each.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The files of the repository that name their owner. In a repository that has one, these are none. */
const unowned = ownFiles().filter(
  (file) => !/^(scripts|tests)\//.test(file) && /\bOWNER\b/.test(readFileSync(join(root, file), 'utf8')),
)

function copied(): string {
  const copy = temporaryFolder('owner')
  const manifests = [
    'package.json',
    ...packages.map(({ folder }) => `packages/${folder.split(/[\\/]/).at(-1)}/package.json`),
  ]
  for (const file of ['scripts', 'tools', 'README.md', 'CHANGELOG.md', ...manifests]) {
    mkdirSync(join(copy, file, '..'), { recursive: true })
    cpSync(join(root, file), join(copy, file), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'README.md'), 'See https://OWNER.github.io/manybody/.')
  return copy
}

test('the command fills in every file that lacks the owner, and lists what is left', async () => {
  const copy = copied()
  const script = join(copy, 'scripts/release/owner.ts')
  const [before, filled, after] = await saidByEach([[script], [script, 'octo-cat'], [script]])
  expect(before).toMatchObject({ stdout: expect.stringContaining('README.md names no owner'), status: 0 })
  expect(filled?.stdout).toContain('README.md: octo-cat')
  expect(after?.stdout).not.toContain('names no owner')
  expect(readFileSync(join(copy, 'README.md'), 'utf8')).toBe('See https://octo-cat.github.io/manybody/.')
})

test('no other file of the repository waits for the owner', () => {
  expect(unowned.filter((file) => file !== 'README.md' && !file.endsWith('package.json'))).toEqual([])
})
