// The pictures of the manuals match the library's results: `npm run pictures` draws them.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksPicture } from '../../../scripts/pages/blocks-picture.ts'
import { root } from '../../../tools/pnpm.mjs'

test('the picture of blocks is up to date', async () => {
  const picture = blocksPicture()
  expect(picture).toMatch(/meets the boxes .*: \d{2,3} of 640 points/)
  await expect(picture).toMatchFileSnapshot(join(root, 'docs/pictures/blocks.svg'))
})
