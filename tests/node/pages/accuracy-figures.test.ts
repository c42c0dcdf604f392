// The figures of docs/accuracy.md are computed, and the committed page must have the present ones. `npm run accuracy` fills them in.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'
import { accuracyTable } from '../../support/accuracy-page.ts'

const block = /(<!-- accuracy: verify -->\n)[\s\S]*?(\n<!-- \/accuracy -->)/

test('docs/accuracy.md is current; if not, run `npm run accuracy`', { timeout: 300_000 }, async () => {
  const page = readFileSync(join(root, 'docs/accuracy.md'), 'utf8')
  expect(page).toMatch(block)
  const table = await accuracyTable()
  const filled = page.replace(block, (_, open: string, close: string) => `${open}\n${table}\n${close}`)
  // The last cell of each device is the ratio of the bound to the error.
  const rows = table.split('\n').slice(2)
  const ratios = rows.flatMap((row) => row.split('|').flatMap((cell, n) => (n === 4 || n === 7 ? [Number(cell)] : [])))
  expect(ratios).toHaveLength(2 * rows.length)
  expect(Math.max(...ratios)).toBeLessThan(16)
  expect(ratios.filter((ratio) => ratio > 10).length).toBeLessThanOrEqual(1)
  await expect(filled).toMatchFileSnapshot('../../../docs/accuracy.md')
})
