// Before the tests of this project: packs the packages once and lets npm install them into an empty app, without any GPU
// driver package. Tests find its folder by `inject('app')`.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { packInto } from '../../scripts/packages.ts'

declare module 'vitest' {
  interface ProvidedContext {
    app: string
  }
}

export default async function packedApp({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'manybody-app-'))
  const packed = await packInto(await mkdtemp(join(folder, 'tarballs-')))
  const app = await mkdtemp(join(folder, 'app-'))
  const specifiers = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const { manybody, '@manybody/conformance': conformance, ...overrides } = specifiers
  const dependencies = { manybody, '@manybody/conformance': conformance }
  await writeFile(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies, overrides }))
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: app })
  provide('app', app)
  return () => rm(folder, { recursive: true, force: true })
}
