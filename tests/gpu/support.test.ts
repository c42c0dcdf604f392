// docs/support.md is generated: the committed page must be what the backends answer now. `npm run support` rewrites it.

import { expect, test } from 'vitest'
import { supportPage } from '../../scripts/support.ts'

test('docs/support.md is current; if not, run `npm run support`', async () => {
  await expect(await supportPage()).toMatchFileSnapshot('../../docs/support.md')
})
