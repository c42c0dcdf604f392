// Each browser's users are sent to a page that their browser has.

import { expect, test } from 'vitest'
import { graphicsPage } from '../../src/quirks/graphics-page.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'about:support'],
  ['Chrome', `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/147.0.0.0 Safari/537.36`, 'chrome://gpu'],
  [
    'Edge',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/147.0.0.0 Safari/537.36 Edg/147.0`,
    'edge://gpu',
  ],
  [
    'WebKitGTK',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'webkit://gpu',
  ],
  [
    'Safari',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'settings',
  ],
  ['nobody', 'undefined', 'settings'],
])('the hint for %s is its page about graphics', (_, userAgent, page) => {
  expect(graphicsPage(userAgent)).toContain(page)
})
