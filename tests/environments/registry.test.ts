// The packed tarballs are as the registry and its users need them: README, manifest, types, and the public API.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../tools/pnpm.mjs'
import { preparedApp } from './prepared.ts'

// By then, the packages are packed. Two scripts that build into the same folders would disturb each other.
await preparedApp()

test('every tarball passes the checks of `npm run tarballs`', async () => {
  const checked = promisify(execFile)('npm', ['run', '--silent', 'tarballs'], { cwd: root, maxBuffer: 2 ** 26 })
  // A failure tells all that the checks found.
  const { stdout } = await checked.catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`)
  })
  expect(stdout).toContain('pass')
})
