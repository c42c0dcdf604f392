// docs/functions.md is generated: the committed page must be what the data says. `npm run functions` rewrites it.

import { expect, test } from 'vitest'
import { functionsPage } from '../../scripts/functions.ts'

test('docs/functions.md is current; if not, run `npm run functions`', async () => {
  await expect(functionsPage()).toMatchFileSnapshot('../../docs/functions.md')
})
