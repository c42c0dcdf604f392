// Runs beside the tests of other projects: packs the packages once, lets npm install them into an empty app without any GPU driver package,
// and installs the other runtimes. Only tests that need the app wait for this.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { packedPackages } from '../../scripts/packed.ts'
import { installRuntimes } from './runtimes.ts'

async function packApp(app: string): Promise<void> {
  const packed = await packedPackages()
  const specifiers = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const { manybody, '@manybody/conformance': conformance, ...overrides } = specifiers
  const dependencies = { manybody, '@manybody/conformance': conformance }
  await writeFile(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies, overrides }))
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: app })
}

export default async function prepare({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'manybody-app-'))
  const app = join(folder, 'app')
  const outcome = join(folder, 'outcome')
  await mkdir(app)
  const prepared = Promise.all([packApp(app), installRuntimes()]).then(
    () => '',
    (error) => `Cannot prepare the app of these tests: ${error?.stack ?? error}`,
  )
  // Write to another name first, so that nobody reads an incomplete file.
  const told = prepared.then(async (said) => {
    await writeFile(`${outcome}.part`, said)
    await rename(`${outcome}.part`, outcome)
  })
  provide('prepared', { app, outcome })
  return async () => {
    await told
    await rm(folder, { recursive: true, force: true })
  }
}
