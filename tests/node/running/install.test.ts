// The packages that `npm start` installs on a new machine: only those that the main job needs, announced and with progress. The scripts run
// in a folder of their own. Its `npx` prints the request and fails.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { patience } from '../../../tools/patience.ts'
import { root } from '../../../tools/pnpm.mjs'

const folder = mkdtempSync(join(tmpdir(), 'manybody-install-'))
afterAll(() => rmSync(folder, { recursive: true }))
for (const name of ['scripts', 'tools', 'package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
  cpSync(join(root, name), join(folder, name), { recursive: true })
writeFileSync(join(folder, 'npx'), '#!/bin/sh\necho "asked for $*"\nexit 1\n', { mode: 0o755 })

/** The output of the script on stderr. */
function said(script: string): string {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const { stderr, status } = spawnSync(process.execPath, [join(folder, 'scripts', script)], {
    ...{ cwd: folder, env, encoding: 'utf8', timeout: patience },
  })
  expect(status).toBe(1)
  return stderr
}

test('npm start installs what the main job needs, and shows the size and the progress', () => {
  const [first, second] = said('start.mjs').split('\n')
  expect(first).toBe('Installing what the main job needs, about 60 MB to download, once ...')
  expect(second).toMatch(
    /^asked for --yes pnpm@\S+ install --frozen-lockfile --prod --filter @manybody\/examples\.\.\.$/,
  )
  // A failed installation does not count as a finished one.
  expect(existsSync(join(folder, 'node_modules'))).toBe(false)
})

test('all other commands install everything', () => {
  const [first, second] = said('setup.mjs').split('\n')
  expect(first).toMatch(/^Installing what all commands need, about \d+ MB to download, once \.\.\.$/)
  expect(second).toMatch(/ install --frozen-lockfile$/)
})

test('the main job depends on no browser, test runner or tool of the repository', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'examples/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(Object.keys(dependencies).filter((name) => /chromium|playwright|vitest|typescript|biome/.test(name))).toEqual(
    [],
  )
})
