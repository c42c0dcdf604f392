// docs/support.md is generated: the committed page must be what the backends answer now.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { supportFile, supportPage } from '../../scripts/support.ts'

test('docs/support.md is current; if not, run `npm run support`', async () => {
  expect(readFileSync(supportFile, 'utf8')).toBe(await supportPage())
})
