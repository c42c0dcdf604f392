// docs/functions.md and the table of functions in docs/expressions.md are generated, and must match the data. `npm run functions` rewrites
// them.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expressionsPage, functionsPage } from '../../../scripts/pages/functions.ts'

test('docs/functions.md is current; if not, run `npm run functions`', async () => {
  await expect(functionsPage()).toMatchFileSnapshot('../../../docs/functions.md')
})

test('the functions of docs/expressions.md are current; if not, run `npm run functions`', async () => {
  const page = readFileSync(new URL('../../../docs/expressions.md', import.meta.url), 'utf8')
  await expect(expressionsPage(page)).toMatchFileSnapshot('../../../docs/expressions.md')
})
