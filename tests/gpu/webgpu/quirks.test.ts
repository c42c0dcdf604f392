// What Dawn does against its own rules, and that it does not reach users.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { patience } from '../../support/patience.ts'

test('a device keeps working after garbage collection', () => {
  const script = fileURLToPath(new URL('../../support/gpu/collected-dawn.ts', import.meta.url))
  const { status, signal, stdout } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script], {
    timeout: patience,
    encoding: 'utf8',
  })
  expect({ status, signal, stdout }).toEqual({ status: 0, signal: null, stdout: 'done\n' })
})
